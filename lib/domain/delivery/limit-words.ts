import { formatCount } from "#lib/util/words.ts";

/** The counters that a limit is compared with. `count` leaves out measurements that ended in an error. */
type LimitCounters = Readonly<Record<"count" | "inconclusive" | "failed" | "error" | "consecutiveError", number>>;

type Limits = Readonly<Record<"inconclusiveLimit" | "failureLimit" | "consecutiveErrorLimit", string | number>>;

/**
 * Returns how a metric used up the limit behind its phase: "3 of 5 success-rate measurements were inconclusive (limit
 * 2)". Leaves out a missing name, and a negative limit, which means no limit. Undefined for the other phases, which
 * have no such limit.
 */
export function formatLimitUse({
  name,
  phase,
  counters,
  limits,
}: {
  name?: string;
  phase: string;
  counters: LimitCounters;
  limits: Limits;
}): string | undefined {
  const taken = counters.count + counters.error;
  const named = name === undefined ? "" : `${name} `;
  const of = `of ${formatCount(taken)} ${named}${taken === 1 ? "measurement" : "measurements"}`;
  switch (phase) {
    case "Inconclusive":
      return `${formatCount(counters.inconclusive)} ${of} ${counters.inconclusive === 1 ? "was" : "were"} inconclusive${limitOf(limits.inconclusiveLimit)}`;
    case "Failed":
      return `${formatCount(counters.failed)} ${of} failed${limitOf(limits.failureLimit)}`;
    case "Error": {
      const errors = counters.consecutiveError === 1 ? "1 error" : `${formatCount(counters.consecutiveError)} errors`;
      return `${name === undefined ? "" : `${name} had `}${errors} in a row${limitOf(limits.consecutiveErrorLimit)}`;
    }
    default:
      return undefined;
  }
}

function limitOf(limit: string | number): string {
  return Number(limit) < 0 ? "" : ` (${limit} allowed)`;
}
