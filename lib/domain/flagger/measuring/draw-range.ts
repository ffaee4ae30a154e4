import type { AnalysisMetric } from "./analysis-spec.ts";

/** The unit of a metric's values as Gatehouse stores them; undefined if only its query knows. */
export type ValueUnit = "percent" | "seconds";

/** A bound of a metric, in the unit of its values. Values beyond it fail. */
export type Bound = { side: "min" | "max"; value: number; text: string };

/** Flagger measures durations in seconds, while a spec sets their limits in milliseconds. */
export function unitOf({ name }: Pick<AnalysisMetric, "name">): ValueUnit | undefined {
  if (name === "request-success-rate") return "percent";
  return name === "request-duration" ? "seconds" : undefined;
}

/**
 * Returns the bounds of a metric, which pass themselves. Without a range the deprecated threshold counts, whose default
 * is 0 (fluxcd/flagger pkg/controller/scheduler_metrics.go).
 */
export function readBounds(metric: AnalysisMetric): Bound[] {
  const { thresholdRange: range, threshold = 0 } = metric;
  if (range === undefined) {
    return [toBound(metric, metric.name === "request-success-rate" ? "min" : "max", threshold)];
  }
  return [
    ...(range.min === undefined ? [] : [toBound(metric, "min", range.min)]),
    ...(range.max === undefined ? [] : [toBound(metric, "max", range.max)]),
  ];
}

function toBound(metric: AnalysisMetric, side: Bound["side"], value: number): Bound {
  switch (unitOf(metric)) {
    case "percent":
      return { side, value, text: `${value}%` };
    case "seconds": {
      // Upstream drops fractions of a millisecond.
      const milliseconds = Math.trunc(value);
      return { side, value: milliseconds / 1000, text: `${milliseconds}ms` };
    }
    default:
      return { side, value, text: String(value) };
  }
}
