/** A claim in force: not expired, and of the wait that there is now. */
export type HeldClaim = { id: string; by: string; byName: string };

/** What a claim would do, or whose claim is in its way. */
export type ClaimVerdict =
  | { kind: "claim" }
  | { kind: "extend" }
  | { kind: "take-over"; from: HeldClaim }
  | { kind: "held"; by: HeldClaim };

/**
 * Judges a claim. Claiming again extends it. Another person's claim is taken over only by whoever names it: that person
 * has seen whose it is.
 */
export function judgeClaim({
  held,
  by,
  takesOver,
}: {
  held: HeldClaim | undefined;
  by: string;
  takesOver: string | undefined;
}): ClaimVerdict {
  if (held === undefined) return { kind: "claim" };
  if (held.by === by) return { kind: "extend" };
  return held.id === takesOver ? { kind: "take-over", from: held } : { kind: "held", by: held };
}
