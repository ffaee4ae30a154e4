/** What the controller does next by itself, unless somebody acts before. */
export type OwnAct = {
  /** A verb with what is needed to understand it, such as "Continues by itself with step 5 of 6". */
  text: string;
  /** When it is due, in ISO 8601. It may have passed: controllers act a little later. */
  at: string;
};
