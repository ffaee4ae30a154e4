"use client";

import { useElementSize } from "@mantine/hooks";
import type { Domain } from "#components/charts/chart-scale.ts";
import classes from "#components/charts/charts.module.css";
import { computePlot } from "#components/charts/plot.ts";

type WeightChartProps = { weights: readonly { at: string; weight: number }[]; timeDomain: Domain; labelLength: number };

const height = 64;

/** Shows the rollout's set weight as a thin step line, on the time axis of the charts below it. */
export function WeightChart({ weights, timeDomain, labelLength }: WeightChartProps) {
  const { ref, width } = useElementSize();
  const plot = computePlot({ width, timeDomain, valueDomain: [0, 100], labelLength, height });
  const steps = prepareWeightSteps(weights, timeDomain);
  const path = steps
    .map(
      ({ atMs, weight }, index) =>
        `${index === 0 ? "M" : "H"}${plot.x(atMs)}${index === 0 ? " " : "V"}${plot.y(weight)}`,
    )
    .join("");
  const last = steps.at(-1);
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.legend}>Traffic on the new version</figcaption>
      <div ref={ref} className={classes.plot}>
        {width > 0 && last !== undefined && (
          <svg
            width={width}
            height={height}
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
          </svg>
        )}
      </div>
    </figure>
  );
}

/** Returns the weight steps inside the domain; the one in effect at its start begins there. */
export function prepareWeightSteps(weights: readonly { at: string; weight: number }[], [start, end]: Domain) {
  const sorted = weights
    .map(({ at, weight }) => ({ atMs: Date.parse(at), weight }))
    .sort((one, other) => one.atMs - other.atMs);
  const inForce = sorted.findLast(({ atMs }) => atMs <= start);
  const inside = sorted.filter(({ atMs }) => atMs > start && atMs <= end);
  const steps = inForce === undefined ? inside : [{ atMs: start, weight: inForce.weight }, ...inside];
  return steps.filter(({ weight }, index) => index === 0 || steps[index - 1]?.weight !== weight);
}
