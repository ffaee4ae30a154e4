/** The controller's next automatic action, unless a person acts first. */
export type OwnAct = {
  /** A verb phrase that needs no context, such as "Continues by itself with step 5 of 6". */
  text: string;
  /** When it is due, in ISO 8601. It may have passed: controllers act a little later. */
  at: string;
};
