const length = / for \d+ (?:s|min|h|d)(?: \d+ (?:s|min|h|d))*/;

/**
 * Takes the length of time out of a sentence: it changes every second, and a live region would be read out as often.
 * "Cluster demo is stale for 2 min 5 s: ..." has the length " for 2 min 5 s".
 */
export function splitLength(sentence: string): { before: string; length: string; after: string } {
  const found = length.exec(sentence);
  if (found === null) return { before: sentence, length: "", after: "" };
  return {
    before: sentence.slice(0, found.index),
    length: found[0],
    after: sentence.slice(found.index + found[0].length),
  };
}
