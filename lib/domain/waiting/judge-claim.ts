/** A claim in force: not expired, and for the current wait. */
export type HeldClaim = { id: string; by: string; byName: string };

/** The effect of a claim, or the other claim that prevents it. */
export type ClaimVerdict =
  | { kind: "claim" }
  | { kind: "extend" }
  | { kind: "take-over"; from: HeldClaim }
  | { kind: "held"; by: HeldClaim };

/**
 * Judges a claim. Claiming again extends it. Another person's claim is taken over only if the request names it: its
 * sender has then seen whose claim it is.
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
