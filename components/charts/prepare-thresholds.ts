import { type Domain, fromShare, type ScaleKind, toShare } from "#components/charts/chart-scale.ts";
import { measuredPhaseOf } from "#components/ui/order-metrics.ts";
import type { Measurement, RunMetric, Threshold } from "#lib/contract/analysis-run.ts";
import { operatorSigns, showLimit } from "#lib/domain/units/show-value.ts";

export type ChartThreshold = Threshold & {
  /** Position of the label, as a value on the axis: moved apart from neighbouring labels. */
  labelAt: number;
  label: string;
  /** The band in which the condition is met, within the axis; undefined if there is no band. */
  band: Domain | undefined;
  /** The line is outside the axis; the label says where. */
  isOffScale: boolean;
};

/** Returns the words at the end of a threshold's line, with the number of the condition in the unit that is shown. */
function labelOf({ condition, operator, text }: Threshold, unit: string | null): string {
  return `${condition === "success" ? "pass" : "fail"} ${operatorSigns[operator]} ${showLimit(text, unit)}`;
}

/** Returns the labels of a metric's limits. */
export function labelsOf({ thresholds, unit }: Pick<RunMetric, "thresholds" | "unit">): string[] {
  return thresholds.map((threshold) => labelOf(threshold, unit));
}

/** Prepares the lines of a chart's thresholds, with the bands in which their conditions are met. */
export function prepareThresholds(
  thresholds: readonly Threshold[],
  domain: Domain,
  { kind = "linear", unit = null }: { kind?: ScaleKind; unit?: string | null } = {},
): ChartThreshold[] {
  const prepared = thresholds.map((threshold): ChartThreshold => {
    const isOffScale = threshold.value < domain[0] || threshold.value > domain[1];
    return {
      ...threshold,
      isOffScale,
      label: labelOf(threshold, unit),
      labelAt: Math.min(domain[1], Math.max(domain[0], threshold.value)),
      band: bandOf(threshold, domain),
    };
  });
  return spreadLabels(prepared, domain, kind);
}

function bandOf({ region, value }: Threshold, [low, high]: Domain): Domain | undefined {
  const edge = Math.min(high, Math.max(low, value));
  if (region === "above") return edge < high ? [edge, high] : undefined;
  if (region === "below") return edge > low ? [low, edge] : undefined;
  return undefined;
}

/** Spreads labels, which need about a tenth of the height each; the lines stay where they are. */
function spreadLabels(thresholds: ChartThreshold[], domain: Domain, kind: ScaleKind): ChartThreshold[] {
  const room = 0.1;
  const sorted = thresholds
    .map((threshold) => ({ threshold, share: toShare(threshold.labelAt, domain, kind) }))
    .sort((one, other) => one.share - other.share);
  let floor = 0;
  for (const place of sorted) {
    place.share = Math.max(place.share, floor);
    floor = place.share + room;
  }
  let ceiling = 1;
  for (const place of sorted.reverse()) {
    place.share = Math.min(place.share, ceiling);
    ceiling = place.share - room;
  }
  return sorted.reverse().map(({ threshold, share }) => ({ ...threshold, labelAt: placeAt(share, domain, kind) }));
}

/** The ends of the axis are exact, so that a label there is known to be at the edge. */
function placeAt(share: number, domain: Domain, kind: ScaleKind): number {
  if (share === 0 || share === 1) return domain[share];
  return fromShare(share, domain, kind);
}

/** The measurement by which a limit was exceeded. */
export type LimitMark = {
  seq: number;
  /** Such as `inconclusive`. */
  what: string;
  used: number;
  limit: string;
};

type Limited = Pick<RunMetric, "phase" | "counters" | "limits"> & Partial<Pick<RunMetric, "replayedPhase">>;
type Judged = Pick<Measurement, "seq" | "phase" | "superseded">;

/**
 * Finds the measurement that exceeded the limit behind a metric's phase, by counting as the controller does. Undefined if
 * no limit decided, or if the measurements at hand do not add up to the controller's counters: some were lost, or left
 * out of a thinned series.
 */
export function findLimitMark(metric: Limited, measurements: readonly Judged[]): LimitMark | undefined {
  const { counters, limits } = metric;
  const counted = measurements.filter(({ superseded }) => !superseded).toSorted((one, other) => one.seq - other.seq);
  switch (measuredPhaseOf(metric)) {
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
