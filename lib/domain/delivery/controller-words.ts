/** How a provider's controller words what it writes into its objects. Small: it is sent to the browser. */
export type ControllerWords = {
  /** The kind whose objects it writes into. */
  kind: string;
  /** The provider's messages are whole sentences for a person, and need no words around them. */
  areSentences: boolean;
  /** Words a bare reason, such as that of a pause; undefined for any other text. */
  nameReason(reason: string): string | undefined;
  /** Explains who aborted, followed by `place`, and why; undefined if the message is not about an abort. */
  explainAbort(message: string, place: string): string | undefined;
  /** Whether an abort's message says that it was requested; undefined if the message does not tell. */
  isAbortOnRequest(message: string): boolean | undefined;
  /** Says who paused it, followed by `place`; undefined if the message is not about a person's pause. */
  explainPause(message: string, place: string): string | undefined;
};
