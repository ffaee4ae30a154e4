import type { ReleaseState } from "#lib/domain/delivery/derive-releases.ts";
import { quantile } from "./quantile.ts";

/** The figures of one release. Times in seconds; null: not known, or not the case. */
export type ReleaseFacts = {
  state: ReleaseState;
  isUndone: boolean;
  isInconclusive: boolean;
  /** From the abort, or from the trouble that was undone, to the next version that is fully promoted. */
  recoverySeconds: number | null;
  /** From the commit to the full promotion. */
  leadSeconds: number | null;
  /** Time in which it waited for a person or was paused by one. Null while it is under way, and if it is not known. */
  waitingSeconds: number | null;
  /** The part of that in which a freeze window forbade to continue. */
  frozenSeconds: number;
};

/** Times in seconds, over `count` releases; null over none. */
export type Spread = { count: number; median: number | null; p90: number | null };

export type ReleaseSummary = {
  releases: number;
  promoted: number;
  aborted: number;
  superseded: number;
  unknown: number;
  open: number;
  undone: number;
  aborts: Rate;
  inconclusive: Rate;
  changeFailure: Rate;
  /** Full promotions per day; null if less than a day was recorded, which is too short for a daily rate. */
  perDay: number | null;
  /** `unknown`: fully promoted, without a commit time. */
  leadTime: Spread & { unknown: number };
  /** `open`: failed, and nothing was fully promoted since. */
  recovery: Spread & { open: number };
  /** Over the ended releases that waited; `unknown`: ended, and not known whether they did. */
  waiting: Spread & { unknown: number; ended: number; totalSeconds: number; frozenSeconds: number };
};

/**
 * Summarises releases that began within a period of so many days. Rates are of the promoted and the aborted ones:
 * nothing is known yet about those under way, and a superseded one was neither.
 */
export function summariseReleases(releases: readonly ReleaseFacts[], days: number): ReleaseSummary {
  const count = (is: (release: ReleaseFacts) => boolean): number => releases.filter(is).length;
  const promoted = count(({ state }) => state === "promoted");
  const aborted = count(({ state }) => state === "aborted");
  const decided = releases.filter(({ state }) => state === "promoted" || state === "aborted");
  const failed = decided.filter(isFailed);
  const undone = failed.filter(({ isUndone }) => isUndone).length;
  const leads = secondsOf(releases, ({ leadSeconds }) => leadSeconds);
  const recoveries = secondsOf(failed, ({ recoverySeconds }) => recoverySeconds);
  return {
    releases: releases.length,
    promoted,
    aborted,
    superseded: count(({ state }) => state === "superseded"),
    unknown: count(({ state }) => state === "unknown"),
    open: count(isOpen),
    undone,
    aborts: computeRate(aborted, decided.length),
    inconclusive: computeRate(decided.filter(({ isInconclusive }) => isInconclusive).length, decided.length),
    changeFailure: computeRate(failed.length, decided.length),
    perDay: days >= 1 ? promoted / days : null,
    leadTime: { ...spreadOf(leads), unknown: promoted - leads.length },
    recovery: { ...spreadOf(recoveries), open: failed.length - recoveries.length },
    waiting: summariseWaits(releases.filter((release) => !isOpen(release))),
  };
}

function summariseWaits(ended: readonly ReleaseFacts[]): ReleaseSummary["waiting"] {
  const known = secondsOf(ended, ({ waitingSeconds }) => waitingSeconds);
  return {
    ...spreadOf(known.filter((seconds) => seconds > 0)),
    unknown: ended.length - known.length,
    ended: ended.length,
    totalSeconds: sum(known),
    frozenSeconds: sum(ended.map(({ frozenSeconds }) => frozenSeconds)),
  };
}

/** Returns whether a release failed in the sense of the change failure rate. */
export function isFailed({ state, isUndone }: Pick<ReleaseFacts, "state" | "isUndone">): boolean {
  return state === "aborted" || (state === "promoted" && isUndone);
}

function isOpen({ state }: ReleaseFacts): boolean {
  return state === "progressing" || state === "paused";
}

function secondsOf(releases: readonly ReleaseFacts[], read: (release: ReleaseFacts) => number | null): number[] {
  return releases.flatMap((release) => read(release) ?? []);
}

function spreadOf(values: readonly number[]): Spread {
  return { count: values.length, median: quantile(values, 0.5), p90: quantile(values, 0.9) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** A share with the numbers behind it. `rate`, `low` and `high` are from 0 to 1, and null for a share of nothing. */
type Rate = { count: number; of: number; rate: number | null; low: number | null; high: number | null };

/** The 97.5th percentile of the normal distribution: the interval holds the true share 95 times out of 100. */
const z = 1.959963984540054;

/** Computes a share with its Wilson score interval (Wilson 1927), which is also right for few cases and for none. */
export function computeRate(count: number, of: number): Rate {
  if (of === 0) return { count, of, rate: null, low: null, high: null };
  const share = count / of;
  const denominator = 1 + (z * z) / of;
  const centre = share + (z * z) / (2 * of);
  const spread = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  return {
    count,
    of,
    rate: share,
    // Rounding must not push a bound past the share itself.
    low: count === 0 ? 0 : Math.max(0, (centre - spread) / denominator),
    high: count === of ? 1 : Math.min(1, (centre + spread) / denominator),
  };
}
