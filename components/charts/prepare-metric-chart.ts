import {
  computeTicksIn,
  computeValueDomain,
  type Domain,
  mayUseLog,
  type ScaleKind,
  type Tick,
} from "#components/charts/chart-scale.ts";
import { findPlottedField, isPlottedAccessor, plottedNumber } from "#components/charts/plotted-value.ts";
import {
  type ChartThreshold,
  findLimitMark,
  type LimitMark,
  prepareThresholds,
} from "#components/charts/prepare-thresholds.ts";
import { spreadSeconds } from "#components/charts/time-axis.ts";
import { formatGap } from "#components/ui/format-time.ts";
import type { Measurement, RunMetric } from "#lib/contract/analysis-run.ts";

/** One measurement as the chart draws it: at its value, or as a labelled mark at the bottom edge. */
export type ChartPoint = {
  seq: number;
  /** Its place on the axis: points of one second are spread over it, because the cluster writes whole seconds. */
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

export type MetricChart = {
  points: ChartPoint[];
  line: LineRow[];
  gaps: ChartGap[];
  thresholds: ChartThreshold[];
  valueDomain: Domain;
  ticks: Tick[];
  /** Its checks have results but no values, such as Flagger's that passed: a strip of marks, without a value axis. */
  isStrip: boolean;
  /** A logarithmic axis would help. */
  mayUseLog: boolean;
  kind: ScaleKind;
  limitMark: LimitMark | undefined;
};

export type ChartedMetric = Pick<
  RunMetric,
  "name" | "phase" | "thresholds" | "gaps" | "counters" | "limits" | "conditionsDrawn" | "unit"
>;

type Input = {
  metric: Omit<ChartedMetric, "name" | "conditionsDrawn">;
  measurements: readonly Measurement[];
  /** The server left measurements out: numbers that are not consecutive are no gap. */
  isThinned?: boolean;
  /** The time in view; the value axis fits its measurements. */
  timeDomain: Domain;
  isLog?: boolean;
  /** Values to compare with. */
  comparedValues?: readonly number[];
};

/** Decides everything that the chart of one metric draws; metric-plot.tsx only draws. */
export function prepareMetricChart({
  metric,
  measurements,
  isThinned = false,
  timeDomain,
  isLog = false,
  comparedValues = [],
}: Input): MetricChart {
  const field = findPlottedField(metric.thresholds, measurements);
  const drawn = metric.thresholds.filter(({ accessor }) => isPlottedAccessor(accessor, field));
  const points = preparePoints(measurements, field);
  const isStrip = hasOnlyResults(measurements);
  const [startMs, endMs] = timeDomain;
  const inView = points.filter(({ atMs }) => atMs >= startMs && atMs <= endMs);
  const values = (inView.length > 0 ? inView : points).flatMap(({ value }) => value ?? []);
  const maySwitch = mayUseLog(points.flatMap(({ value }) => value ?? []));
  const kind = isLog && maySwitch ? "log" : "linear";
  const limits = drawn.map(({ value }) => value);
  const valueDomain = computeValueDomain(values, limits, { kind, comparedValues });
  return {
    points,
    line: prepareLine(points, metric.gaps, isThinned),
    gaps: prepareGaps(points, metric.gaps, timeDomain),
    thresholds: isStrip ? [] : prepareThresholds(drawn, valueDomain, { kind, unit: metric.unit }),
    valueDomain,
    // Without a number to plot, numbers on the axis would be made up.
    ticks: isStrip || values.length + drawn.length === 0 ? [] : computeTicksIn(metric.unit, valueDomain, kind),
    isStrip,
    mayUseLog: maySwitch,
    kind,
    limitMark: findLimitMark(metric, measurements),
  };
}

/** Returns whether checks have ended, all without a value and without an error. */
function hasOnlyResults(measurements: readonly Measurement[]): boolean {
  const ended = measurements.filter(({ finishedAt }) => finishedAt !== null);
  return ended.length > 0 && ended.every(({ value, phase }) => value === null && phase !== "Error");
}

/** Prepares the measurements in their order; `field` of their values is plotted if they are objects. */
export function preparePoints(measurements: readonly Measurement[], field?: string): ChartPoint[] {
  const points = measurements
    .map((measurement) => toPoint(measurement, field))
    .sort((one, other) => one.seq - other.seq || one.atMs - other.atMs);
  return spreadSeconds(points);
}

function toPoint(measurement: Measurement, field: string | undefined): ChartPoint {
  const { finishedAt, startedAt, phase, seq } = measurement;
  const number = plottedNumber(measurement, field);
  const isOnScale = finishedAt !== null && number !== undefined && Number.isFinite(number);
  return {
    seq,
    atMs: Date.parse(finishedAt ?? startedAt),
    phase,
    value: isOnScale ? number : undefined,
    word: isOnScale ? undefined : nameValue(measurement),
    measurement,
  };
}

/** Connects only consecutive measurements: a lost one, or one without a number, interrupts the line. */
export function prepareLine(points: readonly ChartPoint[], gaps: RunMetric["gaps"], isThinned: boolean): LineRow[] {
  const rows: LineRow[] = [];
  let last: ChartPoint | undefined;
  for (const point of points) {
    const { value } = point;
    if (last !== undefined && (value === undefined || !isJoined(last, point, gaps, isThinned))) {
      rows.push({ atMs: (last.atMs + point.atMs) / 2, value: null });
    }
    if (value !== undefined) rows.push({ atMs: point.atMs, value });
    last = value === undefined ? undefined : point;
  }
  return rows;
}

function isJoined(one: ChartPoint, next: ChartPoint, gaps: RunMetric["gaps"], isThinned: boolean): boolean {
  if (gaps.some(({ afterSeq }) => afterSeq >= one.seq && afterSeq < next.seq)) return false;
  return isThinned || next.seq - one.seq === 1;
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

/** Returns a word for a measurement that is not on the scale. */
function nameValue({ parsed, finishedAt, phase, value }: Measurement): string {
  if (finishedAt === null) return "measuring";
  switch (parsed.kind) {
    case "nan":
      return "NaN";
    case "+inf":
      return "+Inf";
    case "-inf":
      return "-Inf";
    case "array":
      return nameList(value);
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
function nameList(value: string | null): string {
  if (/^[[\]\s]*$/.test(value ?? "")) return "empty";
  const first = /^\[+\s*([^\s,\]]+)/.exec(value ?? "")?.[1];
  if (first === "NaN" || first === "+Inf" || first === "-Inf") return first;
  return first === "Inf" ? "+Inf" : "list";
}
