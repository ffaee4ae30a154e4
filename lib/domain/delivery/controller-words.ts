/** The wording of a provider's controller in the objects that it writes. Small: it is sent to the browser. */
export type ControllerWords = {
  /** The kind whose objects it writes into. */
  kind: string;
  /** The provider's messages are whole sentences for a person, and need no words around them. */
  areSentences: boolean;
  /** Words a bare reason, such as that of a pause; undefined for any other text. */
  nameReason(reason: string): string | undefined;
  /** Explains who aborted, followed by `place`, and why; undefined if the message is not about an abort. */
  explainAbort(message: string, place: string): string | undefined;
  /** Whether an abort was requested, by its message; undefined if the message leaves that open. */
  isAbortOnRequest(message: string): boolean | undefined;
  /** Explains who paused it, followed by `place`; undefined if the message is not about a person's pause. */
  explainPause(message: string, place: string): string | undefined;
};
