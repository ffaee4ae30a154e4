import type { Attention } from "#lib/domain/delivery/detail.ts";

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

type SnoozeVerdict = { ok: true } | { ok: false; code: "invalid_request" | "not_allowed_now"; reason: string };

const hourMs = 3_600_000;

/** Returns whether a wait may be put off without a time. One that is critical or Inconclusive comes back by itself. */
export function maySnoozeUntilChange({ reason, severity }: Pick<Attention, "reason" | "severity">): boolean {
  return severity !== "critical" && reason !== "inconclusive";
}

/** Judges a snooze until a time, or until the state changes (`until` undefined). */
export function judgeSnooze({
  attention,
  until,
  now,
  maxHours,
}: {
  attention: Pick<Attention, "reason" | "severity">;
  until: Date | undefined;
  now: Date;
  maxHours: number;
}): SnoozeVerdict {
  if (until === undefined) {
    if (maySnoozeUntilChange(attention)) return { ok: true };
    const what = attention.reason === "inconclusive" ? "An Inconclusive result" : "What is critical";
    return { ok: false, code: "not_allowed_now", reason: `${what} can be snoozed only until a time. Choose a time.` };
  }
  const aheadMs = until.getTime() - now.getTime();
  if (aheadMs <= 0) return { ok: false, code: "invalid_request", reason: "That time has passed. Choose a later one." };
  if (aheadMs > maxHours * hourMs) {
    const limit = maxHours === 1 ? "an hour" : `${maxHours} hours`;
    return { ok: false, code: "invalid_request", reason: `A snooze lasts at most ${limit}. Choose an earlier time.` };
  }
  return { ok: true };
}
