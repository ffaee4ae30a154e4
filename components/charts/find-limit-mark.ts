import type { Measurement, RunMetric } from "#lib/contract/analysis-run.ts";

/** The measurement by which a limit was exceeded. */
export type LimitMark = {
  seq: number;
  /** Such as `inconclusive`. */
  what: string;
  used: number;
  limit: string;
};

type Limited = Pick<RunMetric, "phase" | "counters" | "limits">;
type Judged = Pick<Measurement, "seq" | "phase" | "superseded">;

/**
 * Finds the measurement that exceeded the limit behind a metric's phase, by counting as the controller does. Undefined if
 * no limit decided, or if the measurements at hand do not add up to the controller's counters: some were lost, or left
 * out of a thinned series.
 */
export function findLimitMark(metric: Limited, measurements: readonly Judged[]): LimitMark | undefined {
  const { counters, limits } = metric;
  const counted = measurements.filter(({ superseded }) => !superseded).toSorted((one, other) => one.seq - other.seq);
  switch (metric.phase) {
    case "Inconclusive":
      return findNth(
        counted,
        { what: "inconclusive", phase: "Inconclusive", ...ofLimit(limits.inconclusiveLimit) },
        counters.inconclusive,
      );
    case "Failed":
      return findNth(counted, { what: "failed", phase: "Failed", ...ofLimit(limits.failureLimit) }, counters.failed);
    case "Error":
      return findRow(counted, ofLimit(limits.consecutiveErrorLimit));
    default:
      return undefined;
  }
}

type Limit = { limit: string; most: number };

function ofLimit(limit: string): Limit {
  return { limit, most: limit === "" ? Number.NaN : Number(limit) };
}

function findNth(
  counted: readonly Judged[],
  { what, phase, limit, most }: Limit & { what: string; phase: Measurement["phase"] },
  recorded: number,
): LimitMark | undefined {
  const own = counted.filter((measurement) => measurement.phase === phase);
  if (!Number.isInteger(most) || most < 0 || own.length !== recorded) return undefined;
  const at = own[most];
  return at === undefined ? undefined : { seq: at.seq, what, used: most + 1, limit };
}

/** Finds where errors in a row exceed the limit. Undefined if a gap in the numbers is next to an error. */
function findRow(counted: readonly Judged[], { limit, most }: Limit): LimitMark | undefined {
  if (!Number.isInteger(most) || most < 0) return undefined;
  let row = 0;
  let last: Judged | undefined;
  for (const measurement of counted) {
    const isNext = last === undefined ? measurement.seq === 1 : measurement.seq === last.seq + 1;
    if (!isNext && (measurement.phase === "Error" || row > 0)) return undefined;
    row = measurement.phase === "Error" ? row + 1 : 0;
    if (row > most) return { seq: measurement.seq, what: "errors in a row", used: row, limit };
    last = measurement;
  }
  return undefined;
}
