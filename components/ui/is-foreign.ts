import type { Source } from "#lib/contract/system.ts";

/**
 * Returns whether another cluster, or an older state of the same one, answers under a source's name (FC-19). In that
 * case no action runs there, not even an abort. The contract has no code for this case, only the recorder's words.
 */
export function isForeign({ state, lastError }: Pick<Source, "state" | "lastError">): boolean {
  if (state !== "error" || lastError === null) return false;
  return lastError.includes("another cluster answers") || lastError.includes("versions went backwards");
}
