import type { RunMetric } from "#lib/contract/analysis-run.ts";

export type LimitLine = { what: string; used: number; limit: string; words: string; isExceeded: boolean };

/**
 * Describes how much of each limit is used, as "3 (limit 2 exceeded)". A limit is exceeded only by the measurement
 * after the one that reaches it.
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
    });
  }
  return lines;
}

function line(what: string, used: number, limit: string): LimitLine {
  const number = Number(limit);
  // A negative limit disables the limit.
  if (Number.isFinite(number) && number < 0)
    return { what, used, limit, words: `${used}, no limit`, isExceeded: false };
  const isExceeded = Number.isFinite(number) && limit !== "" && used > number;
  return {
    what,
    used,
    limit,
    words: isExceeded ? `${used} (limit ${limit} exceeded)` : `${used} (limit ${limit})`,
    isExceeded,
  };
}

/** Describes how often it measures. */
export function describeSchedule({
  limits,
  counters,
  takenAgain,
}: Pick<RunMetric, "limits" | "counters" | "takenAgain">): string {
  const done = counters.count + counters.error;
  const parts = [limits.count === null || limits.count === "0" ? `${done} taken` : `${done} taken of ${limits.count}`];
  if (takenAgain > 0) parts.push(`${takenAgain} retaken`);
  if (limits.interval !== null && limits.interval !== "") parts.push(`every ${limits.interval}`);
  if (limits.initialDelay !== null && limits.initialDelay !== "") parts.push(`first after ${limits.initialDelay}`);
  return parts.join(", ");
}
