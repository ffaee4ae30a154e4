import type { ControllerWords } from "#lib/domain/delivery/provider.ts";

/** Flagger's own messages are not shown: some are false. The provider's are sentences. */
export const flaggerWords: ControllerWords = {
  kind: "Canary",
  areSentences: true,
  nameReason: () => undefined,
  explainAbort: () => undefined,
  isAbortOnRequest: () => undefined,
  explainPause: () => undefined,
};
