"use client";

import { useElementSize } from "@mantine/hooks";
import type { Domain } from "#components/charts/chart-scale.ts";
import classes from "#components/charts/charts.module.css";
import { computePlot } from "#components/charts/plot.ts";
import { prepareWeightSteps } from "#components/charts/prepare-weight-steps.ts";
import { useCursorTime } from "#components/charts/use-chart-cursor.ts";

type WeightChartProps = { weights: readonly { at: string; weight: number }[]; timeDomain: Domain; labelLength: number };

const height = 44;

/** Shows the rollout's set weight as a thin step line, on the time axis of the charts below it. */
export function WeightChart({ weights, timeDomain, labelLength }: WeightChartProps) {
  const { ref, width } = useElementSize();
  const cursorMs = useCursorTime();
  // The time axis is that of the charts below; without its room, the line has the height to itself.
  const plot = { ...computePlot({ width, timeDomain, valueDomain: [0, 100], labelLength, height: height + 22 }) };
  const steps = prepareWeightSteps(weights, timeDomain);
  const path = steps
    .map(
      ({ atMs, weight }, index) =>
        `${index === 0 ? "M" : "H"}${plot.x(atMs)}${index === 0 ? " " : "V"}${plot.y(weight)}`,
    )
    .join("");
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.legend}>Traffic on the new version</figcaption>
      <div ref={ref} className={classes.plot} style={{ height }}>
        {width > 0 && steps.length > 0 && (
          <svg
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
            role="img"
            aria-label={`Traffic weight: ${steps.map(({ weight }) => `${weight} %`).join(", ")}`}
          >
            <path d={`M${plot.left} ${plot.bottom}H${plot.right}`} stroke="var(--gh-border)" />
            <path
              d={`${path}H${plot.right}`}
              fill="none"
              stroke="var(--mantine-primary-color-filled)"
              strokeWidth="1.5"
            />
            <text x={plot.left - 6} y={plot.bottom} textAnchor="end">
              0
            </text>
            <text x={plot.left - 6} y={plot.top + 4} textAnchor="end">
              100 %
            </text>
            {steps.map(({ atMs, weight }) => (
              <text key={atMs} x={plot.x(atMs) + 4} y={plot.y(weight) + (weight > 60 ? 12 : -4)} data-tone="mark">
                {weight} %
              </text>
            ))}
            {cursorMs !== undefined && cursorMs >= timeDomain[0] && cursorMs <= timeDomain[1] && (
              <path d={`M${plot.x(cursorMs)} 0V${height}`} stroke="var(--gh-border-strong)" strokeDasharray="2 3" />
            )}
          </svg>
        )}
      </div>
    </figure>
  );
}
