import { argoWords } from "#lib/domain/argo/words.ts";
import type { ControllerWords } from "#lib/domain/delivery/provider.ts";
import { flaggerWords } from "#lib/domain/flagger/words.ts";

/** The words of all providers. They are separate from `providers.ts`, which is too large for the browser. */
const all: readonly ControllerWords[] = [argoWords, flaggerWords];

/** Returns the message of a rollout of this kind if it is a sentence that says it all; undefined if words are missing. */
export function readSentence(kind: string, message: string): string | undefined {
  const isSentence = all.some((words) => words.kind === kind && words.areSentences);
  return isSentence && message !== "" ? message : undefined;
}

/** Puts a controller's message in plain words: a bare reason, or its text about a metric or an abort. Other text stays. */
export function wordMessage(message: string): string {
  return findWords((words) => words.nameReason(message)) ?? explainAbort(message) ?? message;
}

/** Says who aborted, followed by `place`, and why; undefined for a message that is not about an abort. */
export function explainAbort(message: string, place = ""): string | undefined {
  return findWords((words) => words.explainAbort(message, place));
}

/** Returns whether the message says that an abort was requested; undefined if it does not tell. */
export function isAbortOnRequest(message: string): boolean | undefined {
  for (const words of all) {
    const is = words.isAbortOnRequest(message);
    if (is !== undefined) return is;
  }
  return undefined;
}

/** Says who paused it, followed by `place`; undefined if the message is not about a person's pause. */
export function explainPause(message: string, place = ""): string | undefined {
  return findWords((words) => words.explainPause(message, place));
}

function findWords(ask: (words: ControllerWords) => string | undefined): string | undefined {
  for (const words of all) {
    const said = ask(words);
    if (said !== undefined) return said;
  }
  return undefined;
}
