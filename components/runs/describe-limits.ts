import type { RunMetric } from "#lib/contract/analysis-run.ts";
import { wordLength } from "#lib/domain/delivery/word-step.ts";
import { formatCount } from "#lib/util/words.ts";

export type LimitLine = {
  what: string;
  used: number;
  limit: string;
  words: string;
  isExceeded: boolean;
  /** Not a limit but a number needed to pass. */
  isGoal: boolean;
};

/**
 * Describes how much of each limit is used, as "1 (limit 2)". A limit is exceeded only by the measurement after the one
 * that reaches it; the title and the chart then have the number.
 */
export function describeLimits({ counters, limits }: Pick<RunMetric, "counters" | "limits">): LimitLine[] {
  const lines = [
    line("Failed", counters.failed, limits.failureLimit),
    line("Inconclusive", counters.inconclusive, limits.inconclusiveLimit),
    line("Errors in a row", counters.consecutiveError, limits.consecutiveErrorLimit),
  ];
  const wanted = Number(limits.consecutiveSuccessLimit);
  if (Number.isFinite(wanted) && wanted > 0) {
    const { consecutiveSuccess } = counters;
    lines.push({
      what: "Successes in a row",
      used: consecutiveSuccess,
      limit: limits.consecutiveSuccessLimit,
      words: `${consecutiveSuccess} of ${limits.consecutiveSuccessLimit} needed`,
      isExceeded: false,
      isGoal: true,
    });
  }
  return lines;
}

function line(what: string, used: number, limit: string): LimitLine {
  const number = Number(limit);
  // A negative limit disables the limit.
  if (Number.isFinite(number) && number < 0)
    return { what, used, limit, words: `${formatCount(used)}, no limit`, isExceeded: false, isGoal: false };
  const isExceeded = Number.isFinite(number) && limit !== "" && used > number;
  return {
    what,
    used,
    limit,
    words: isExceeded ? `limit ${limit} exceeded` : `${formatCount(used)} (limit ${limit})`,
    isExceeded,
    isGoal: false,
  };
}

/** Describes how much of the plan was measured. Errors do not count towards the plan. */
export function describeProgress({
  limits,
  counters,
  takenAgain,
}: Pick<RunMetric, "limits" | "counters" | "takenAgain">): string {
  const { count, error } = counters;
  const isOpen = limits.count === null || limits.count === "0";
  const parts = [isOpen ? `${formatCount(count)} measured` : `${formatCount(count)} of ${limits.count} measured`];
  if (error > 0) parts.push(error === 1 ? "1 error" : `${formatCount(error)} errors`);
  if (takenAgain > 0) parts.push(`${formatCount(takenAgain)} retaken`);
  return parts.join(", ");
}

/** Describes the interval and the initial delay; undefined if the rules set neither. */
export function describeInterval({
  limits: { interval, initialDelay },
}: Pick<RunMetric, "limits">): string | undefined {
  const parts = [];
  if (interval !== null && interval !== "") parts.push(`every ${wordLength(interval)}`);
  if (initialDelay !== null && initialDelay !== "") parts.push(`first after ${wordLength(initialDelay)}`);
  return parts.length === 0 ? undefined : parts.join(", ");
}
