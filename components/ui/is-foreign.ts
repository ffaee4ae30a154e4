import type { Source } from "#lib/contract/system.ts";

/**
 * Returns whether another cluster answers under a source's name, or an older state of it (FC-19). In that case nothing
 * at all is done there, not even an abort. The contract has no code for it, only the recorder's words.
 */
export function isForeign({ state, lastError }: Pick<Source, "state" | "lastError">): boolean {
  if (state !== "error" || lastError === null) return false;
  return lastError.includes("another cluster answers") || lastError.includes("versions went backwards");
}
