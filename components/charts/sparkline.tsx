import classes from "#components/charts/charts.module.css";
import { PointShape } from "#components/charts/point-shape.tsx";
import { prepareSparkline } from "#components/charts/prepare-sparkline.ts";
import type { AnalysisPhase } from "#lib/contract/common.ts";

type SparklineProps = { values: readonly (number | null)[]; phase: AnalysisPhase; label: string };

const width = 96;
const height = 24;

/** The shape of the newest measurements; a missing number is a hole, never a zero. */
export function Sparkline({ values, phase, label }: SparklineProps) {
  const { paths, last, holes } = prepareSparkline(values, { width, height });
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      className={classes.sparkline}
    >
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
