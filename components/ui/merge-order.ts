export type MergedOrder = {
  /** Keys to show, in order. */
  order: string[];
  /** Keys that arrived but would move rows: shown when the person asks. */
  fresh: number;
};

/**
 * Merges new keys into an order that a person is reading, without moving a row. Known rows stay, even those that are
 * gone; keys after the last known row are appended; everything else waits.
 */
export function mergeOrder(shown: readonly string[], incoming: readonly string[]): MergedOrder {
  if (shown.length === 0) return { order: [...incoming], fresh: 0 };
  const known = new Set(shown);
  const lastKnown = incoming.findLastIndex((key) => known.has(key));
  const trailing = incoming.slice(lastKnown + 1);
  const fresh = incoming.slice(0, lastKnown + 1).filter((key) => !known.has(key)).length;
  return {
    order: lastKnown === -1 ? [...shown] : [...shown, ...trailing],
    fresh: lastKnown === -1 ? trailing.length : fresh,
  };
}
