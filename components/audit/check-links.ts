import type { AuditItem } from "#lib/contract/audit.ts";

type Link = Pick<AuditItem, "seq" | "previousHash" | "hash">;

export type LinkCheck = {
  /** Pairs of neighbours that are both here. */
  checked: number;
  /** The first entry, from the oldest, that does not follow from the one before it. */
  brokenAt: number | undefined;
};

/** Whether entries that are next to each other in the chain hang together, as far as they are here. */
export function checkLinks(items: readonly Link[]): LinkCheck {
  const bySeq = new Map(items.map((item) => [item.seq, item]));
  const pairs = items
    .toSorted((one, other) => one.seq - other.seq)
    .flatMap((item) => {
      const before = bySeq.get(item.seq - 1);
      return before === undefined ? [] : [{ seq: item.seq, holds: before.hash === item.previousHash }];
    });
  return { checked: pairs.length, brokenAt: pairs.find(({ holds }) => !holds)?.seq };
}
