import { argoWords } from "#lib/domain/argo/words.ts";
import type { ControllerWords } from "#lib/domain/delivery/controller-words.ts";

/** Of all providers. They stand apart from `providers.ts`, which is too large for the browser. */
const all: readonly ControllerWords[] = [argoWords];

/** Puts a controller's message in plain words: a bare reason, or what it says of an abort. Other text stays as it is. */
export function wordMessage(message: string): string {
  return findWords((words) => words.nameReason(message)) ?? explainAbort(message) ?? message;
}

/** Says who aborted, with `place` behind it, and why; undefined for a message that does not tell of an abort. */
export function explainAbort(message: string, place = ""): string | undefined {
  return findWords((words) => words.explainAbort(message, place));
}

function findWords(ask: (words: ControllerWords) => string | undefined): string | undefined {
  for (const words of all) {
    const said = ask(words);
    if (said !== undefined) return said;
  }
  return undefined;
}
