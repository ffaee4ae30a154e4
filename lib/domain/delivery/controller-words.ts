/** How a provider's controller words what it writes into its objects. Small: it goes to the browser. */
export type ControllerWords = {
  /** Puts a bare reason, such as that of a pause, in words; undefined for any other text. */
  nameReason(reason: string): string | undefined;
  /** Says who aborted, with `place` behind it, and why; undefined for a message that does not tell of an abort. */
  explainAbort(message: string, place: string): string | undefined;
};
