import classes from "#components/charts/charts.module.css";
import { PointShape } from "#components/charts/point-shape.tsx";
import type { AnalysisPhase } from "#lib/contract/common.ts";
import type { MetricEvidence } from "#lib/contract/evidence.ts";

type SparklineProps = {
  values: readonly (number | null)[];
  /** The phase of the newest measurement, which the metric's may differ from; null if not known. */
  lastPhase: AnalysisPhase | null;
  label: string;
  thresholds?: MetricEvidence["thresholds"];
  size?: Size;
  /** Further values of the scale, so that several sparklines share one. */
  scale?: readonly number[];
};

type Region = MetricEvidence["thresholds"][number]["region"];

type Size = { width: number; height: number };

const lineSize: Size = { width: 96, height: 24 };

const lineColors = { success: "var(--gh-green-mark)", failure: "var(--gh-red-mark)" };

const bandOpacity = 0.12;

/** Returns the region in which the condition holds: above its line or below it; the undecided band between two lines stays empty. */
function bandOf(region: Region, line: number | undefined, height: number): { y: number; height: number } | undefined {
  if (line === undefined) return undefined;
  if (region === "above") return { y: 0, height: line };
  return region === "below" ? { y: line, height: height - line } : undefined;
}

/** Returns the phase of the last number: the newest measurement's, or a neutral one if that has no number. */
function endPhase(values: SparklineProps["values"], lastPhase: AnalysisPhase | null): AnalysisPhase {
  return lastPhase === null || values.at(-1) === null ? "Pending" : lastPhase;
}

/**
 * Shows the shape of the newest measurements; a missing number is a hole, never a zero. Thresholds as in the charts:
 * solid if they apply to the value itself, else dashed; what passes and what fails is tinted. Without any number there
 * is nothing to draw.
 */
export function Sparkline({
  values,
  lastPhase,
  label,
  thresholds = [],
  size: { width, height } = lineSize,
  scale,
}: SparklineProps) {
  if (!hasShape(values)) return null;
  const limits = thresholds.map(({ value }) => value);
  const { paths, last, holes, lines } = prepareSparkline(values, { width, height }, limits, scale);
  const bands = thresholds.map(({ region }, index) => bandOf(region, lines[index], height));
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      className={classes.sparkline}
    >
      {thresholds.map(({ condition, value }, index) => {
        const band = bands[index];
        if (band === undefined) return null;
        return (
          <rect
            key={`${condition} ${value}`}
            x={0}
            width={width}
            {...band}
            fill={lineColors[condition]}
            fillOpacity={bandOpacity}
          />
        );
      })}
      {thresholds.map(({ condition, value, inclusive }, index) => (
        <line
          key={`${condition} ${value}`}
          x1={0}
          x2={width}
          y1={lines[index]}
          y2={lines[index]}
          stroke={lineColors[condition]}
          strokeDasharray={inclusive ? undefined : "3 2"}
        />
      ))}
      {paths.map((path) => (
        <path
          key={path}
          d={path}
          fill="none"
          stroke="var(--gh-slate-mark)"
          strokeWidth="1.5"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      ))}
      {holes.map((x) => (
        <path key={x} d={`M${x - 2} ${height - 4}l4 4m0 -4l-4 4`} stroke="var(--gh-grey-mark)" strokeWidth="1.2" />
      ))}
      {last !== undefined && <PointShape x={last.x} y={last.y} phase={endPhase(values, lastPhase)} size={4} />}
    </svg>
  );
}

/** Returns whether a sparkline of these values draws anything. */
export function hasShape(values: SparklineProps["values"]): boolean {
  return values.some((value) => value !== null && Number.isFinite(value));
}

/**
 * Returns paths of consecutive numbers, the position of the last number, the measurements without one, and the heights
 * of the thresholds. The scale includes the thresholds: readers look for how far the values are from them.
 */
export function prepareSparkline(
  values: readonly (number | null)[],
  { width, height }: Size,
  thresholds: readonly number[] = [],
  scale: readonly number[] = [],
) {
  const edge = 5;
  const numbers = [...values, ...thresholds, ...scale].filter(
    (value): value is number => value !== null && Number.isFinite(value),
  );
  const low = numbers.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = numbers.reduce((greatest, value) => Math.max(greatest, value), Number.NEGATIVE_INFINITY);
  const span = high - low;
  const x = (index: number) =>
    round(values.length < 2 ? width / 2 : edge + (index / (values.length - 1)) * (width - 2 * edge));
  const y = (value: number) =>
    round(span > 0 ? height - edge - ((value - low) / span) * (height - 2 * edge) : height / 2);

  const paths: string[] = [];
  const holes: number[] = [];
  let path = "";
  let last: { x: number; y: number } | undefined;
  values.forEach((value, index) => {
    if (value === null || !Number.isFinite(value)) {
      holes.push(x(index));
      if (path.includes("L")) paths.push(path);
      path = "";
      return;
    }
    last = { x: x(index), y: y(value) };
    path += `${path === "" ? "M" : "L"}${last.x} ${last.y}`;
  });
  if (path.includes("L")) paths.push(path);
  return { paths, last, holes, lines: thresholds.map(y) };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
