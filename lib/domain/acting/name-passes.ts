import { formatList } from "#lib/util/words.ts";

/** Formats "may pass step 4 and 6" for the indices 3 and 5; undefined if it passes none. */
export function namePasses(indices: readonly number[]): string | undefined {
  if (indices.length === 0) return undefined;
  return `may pass step ${formatList(indices.map((index) => String(index + 1)))}`;
}
