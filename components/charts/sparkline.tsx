import classes from "#components/charts/charts.module.css";
import { PointShape } from "#components/charts/point-shape.tsx";
import { prepareSparkline } from "#components/charts/prepare-sparkline.ts";
import type { AnalysisPhase } from "#lib/contract/common.ts";
import type { MetricEvidence } from "#lib/contract/evidence.ts";

type SparklineProps = {
  values: readonly (number | null)[];
  phase: AnalysisPhase;
  label: string;
  thresholds?: MetricEvidence["thresholds"];
};

const width = 96;
const height = 24;

const lineColors = { success: "var(--gh-green-mark)", failure: "var(--gh-red-mark)" };

/**
 * Shows the shape of the newest measurements; a missing number is a hole, never a zero. Thresholds as in the charts:
 * solid if they apply to the value itself, else dashed.
 */
export function Sparkline({ values, phase, label, thresholds = [] }: SparklineProps) {
  const limits = thresholds.map(({ value }) => value);
  const { paths, last, holes, lines } = prepareSparkline(values, { width, height }, limits);
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      className={classes.sparkline}
    >
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
      {last !== undefined && <PointShape x={last.x} y={last.y} phase={phase} size={4} />}
    </svg>
  );
}
