import type { AuditItem } from "#lib/contract/audit.ts";

type Link = Pick<AuditItem, "seq" | "previousHash" | "hash">;

export type LinkCheck = {
  /** Neighbouring pairs of which both entries are loaded. */
  checked: number;
  /** The first entry, from the oldest, that does not follow from the previous one. */
  brokenAt: number | undefined;
};

/** Checks the chain links between adjacent entries that are loaded. */
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
