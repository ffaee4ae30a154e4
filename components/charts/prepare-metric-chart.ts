import { computeTicks, computeValueDomain, type Domain, type Tick } from "#components/charts/chart-scale.ts";
import { formatGap } from "#components/ui/format-gap.ts";
import type { Measurement, RunMetric, Threshold } from "#lib/contract/analysis-run.ts";

/** One measurement as the chart draws it: at its value, or as a labelled mark at the bottom edge. */
export type ChartPoint = {
  seq: number;
  atMs: number;
  phase: Measurement["phase"];
  /** Undefined: not drawn on the scale but marked with `word`. */
  value: number | undefined;
  word: string | undefined;
  measurement: Measurement;
};

/** A point of the line: a null value interrupts it. */
export type LineRow = { atMs: number; value: number | null };

export type ChartGap = { fromMs: number; toMs: number; count: number; words: string };

export type ChartThreshold = Threshold & {
  /** Where the label goes, as a value on the axis: moved apart from neighbouring labels. */
  labelAt: number;
  label: string;
  /** The band in which the condition is met, within the axis; undefined if there is no band. */
  band: Domain | undefined;
  /** The line is outside the axis; the label says where. */
  isOffScale: boolean;
};

export type MetricChart = {
  points: ChartPoint[];
  line: LineRow[];
  gaps: ChartGap[];
  thresholds: ChartThreshold[];
  valueDomain: Domain;
  ticks: Tick[];
  isDecimated: boolean;
};

type Input = {
  metric: Pick<RunMetric, "thresholds" | "gaps" | "recorded">;
  measurements: readonly Measurement[];
  timeDomain: Domain;
};

/** Decides everything that the chart of one metric draws; metric-chart.tsx only draws. */
export function prepareMetricChart({ metric, measurements, timeDomain }: Input): MetricChart {
  const drawn = metric.thresholds.filter(({ accessor }) => isPlottedAccessor(accessor));
  const points = measurements.map(toPoint).sort((one, other) => one.seq - other.seq || one.atMs - other.atMs);
  const isDecimated = measurements.length < metric.recorded;
  const values = points.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const valueDomain = computeValueDomain(
    values,
    drawn.map(({ value }) => value),
  );
  return {
    points,
    line: prepareLine(points, metric.gaps, isDecimated),
    gaps: prepareGaps(points, metric.gaps, timeDomain),
    thresholds: prepareThresholds(drawn, valueDomain),
    valueDomain,
    // Without a number to plot, numbers on the axis would be made up.
    ticks: values.length + drawn.length === 0 ? [] : computeTicks(valueDomain),
    isDecimated,
  };
}

/**
 * Returns whether a condition tests the plotted number: the value, or the first one of a list. A limit on anything else
 * (`len(result)`, `result[1]`) has another scale and is described in words only.
 */
export function isPlottedAccessor(accessor: string): boolean {
  return /^(?:(?:asFloat|asInt|float|int)\()?result(?:\[0\])*\)?$/.test(accessor.replaceAll(" ", ""));
}

function toPoint(measurement: Measurement): ChartPoint {
  const { parsed, finishedAt, startedAt, phase, seq } = measurement;
  const isOnScale = finishedAt !== null && parsed.number !== undefined && Number.isFinite(parsed.number);
  return {
    seq,
    atMs: Date.parse(finishedAt ?? startedAt),
    phase,
    value: isOnScale ? parsed.number : undefined,
    word: isOnScale ? undefined : wordOf(measurement),
    measurement,
  };
}

/** Returns a word for a measurement that is not on the scale. */
function wordOf({ parsed, finishedAt, phase, value }: Measurement): string {
  if (finishedAt === null) return "measuring";
  switch (parsed.kind) {
    case "nan":
      return "NaN";
    case "+inf":
      return "+Inf";
    case "-inf":
      return "-Inf";
    case "array":
      return wordOfList(value);
    case "object":
      return "object";
    case "string":
      return "text";
    case "empty":
      if (value === null && phase === "Successful") return "no value";
      return value === null && phase === "Error" ? "error" : "empty";
    default:
      return phase === "Error" ? "error" : "not a number";
  }
}

/** Returns a list's word. A list is plotted by its first element; if that is not a number, its word is used. */
function wordOfList(value: string | null): string {
  if (/^[[\]\s]*$/.test(value ?? "")) return "empty";
  const first = /^\[+\s*([^\s,\]]+)/.exec(value ?? "")?.[1];
  if (first === "NaN" || first === "+Inf" || first === "-Inf") return first;
  return first === "Inf" ? "+Inf" : "list";
}

/** Connects only consecutive measurements: a lost one, or one without a number, interrupts the line. */
function prepareLine(points: readonly ChartPoint[], gaps: RunMetric["gaps"], isDecimated: boolean): LineRow[] {
  const rows: LineRow[] = [];
  let last: ChartPoint | undefined;
  for (const point of points) {
    const { value } = point;
    if (last !== undefined && (value === undefined || !isJoined(last, point, gaps, isDecimated))) {
      rows.push({ atMs: (last.atMs + point.atMs) / 2, value: null });
    }
    if (value !== undefined) rows.push({ atMs: point.atMs, value });
    last = value === undefined ? undefined : point;
  }
  return rows;
}

function isJoined(one: ChartPoint, next: ChartPoint, gaps: RunMetric["gaps"], isDecimated: boolean): boolean {
  if (gaps.some(({ afterSeq }) => afterSeq >= one.seq && afterSeq < next.seq)) return false;
  return isDecimated || next.seq - one.seq === 1;
}

function prepareGaps(points: readonly ChartPoint[], gaps: RunMetric["gaps"], [startMs, endMs]: Domain): ChartGap[] {
  return gaps.map((gap) => {
    const { afterSeq, count } = gap;
    const before = points.findLast(({ seq }) => seq <= afterSeq);
    const after = points.find(({ seq }) => seq > afterSeq);
    return {
      fromMs: before?.atMs ?? startMs,
      toMs: after?.atMs ?? endMs,
      count,
      words: formatGap(gap),
    };
  });
}

const shownOperators: Record<Threshold["operator"], string> = {
  "<": "<",
  "<=": "≤",
  ">": ">",
  ">=": "≥",
  "==": "=",
  "!=": "≠",
};

/** Returns the words at the end of a threshold's line, with the number exactly as the condition writes it. */
export function labelOf({ condition, operator, text }: Threshold): string {
  return `${condition === "success" ? "pass" : "fail"} ${shownOperators[operator]} ${text}`;
}

function prepareThresholds(thresholds: readonly Threshold[], domain: Domain): ChartThreshold[] {
  const prepared = thresholds.map((threshold): ChartThreshold => {
    const isOffScale = threshold.value < domain[0] || threshold.value > domain[1];
    return {
      ...threshold,
      isOffScale,
      label: labelOf(threshold),
      labelAt: Math.min(domain[1], Math.max(domain[0], threshold.value)),
      band: bandOf(threshold, domain),
    };
  });
  return spreadLabels(prepared, domain);
}

function bandOf({ region, value }: Threshold, [low, high]: Domain): Domain | undefined {
  const edge = Math.min(high, Math.max(low, value));
  if (region === "above") return edge < high ? [edge, high] : undefined;
  if (region === "below") return edge > low ? [low, edge] : undefined;
  return undefined;
}

/** Spreads labels, which need about a tenth of the height each; the lines stay where they are. */
function spreadLabels(thresholds: ChartThreshold[], [low, high]: Domain): ChartThreshold[] {
  const room = (high - low) * 0.1;
  const sorted = [...thresholds].sort((one, other) => one.labelAt - other.labelAt);
  let floor = low;
  for (const threshold of sorted) {
    threshold.labelAt = Math.max(threshold.labelAt, floor);
    floor = threshold.labelAt + room;
  }
  let ceiling = high;
  for (const threshold of sorted.reverse()) {
    threshold.labelAt = Math.min(threshold.labelAt, ceiling);
    ceiling = threshold.labelAt - room;
  }
  return sorted.reverse();
}
