import { cutText } from "#lib/util/text.ts";

const mostEntries = 64;
const longestName = 256;
/** In characters, names included. */
const mostCharacters = 16 * 1024;

/**
 * Bounds foreign texts by name: at most 64, and about 16 Ki characters together. Short texts stay whole; long ones are
 * cut to the same length and end with a note of their own length. The entry `…` says how many others were left out.
 */
export function boundTexts(texts: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(texts);
  const kept = entries.filter(([name]) => name.length <= longestName).slice(0, mostEntries);
  const longest = findLongest(kept.map(([name, text]) => name.length + text.length));
  const leftOut = entries.length - kept.length;
  return Object.fromEntries([
    ...kept.map(([name, text]) => [name, cutTo(text, longest - name.length)]),
    ...(leftOut === 0 ? [] : [["…", `${leftOut} more not stored`]]),
  ]);
}

/** Finds the length up to which each may stay, so that together they are not longer than allowed. */
function findLongest(lengths: readonly number[]): number {
  let rest = mostCharacters;
  for (const [index, length] of lengths.toSorted((one, other) => one - other).entries()) {
    const share = Math.floor(rest / (lengths.length - index));
    if (length > share) return share;
    rest -= length;
  }
  return mostCharacters;
}

function cutTo(text: string, length: number): string {
  return text.length <= length ? text : `${cutText(text, Math.max(length, 1))} (cut: it has ${text.length} characters)`;
}
