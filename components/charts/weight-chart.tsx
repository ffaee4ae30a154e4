"use client";

import { useElementSize } from "@mantine/hooks";
import { DefaultZIndexes, ReferenceLine, ZIndexLayer } from "recharts";
import { ChartFrame, ChartLine, CursorLine } from "#components/charts/chart-frame.tsx";
import type { Domain } from "#components/charts/chart-scale.ts";
import classes from "#components/charts/charts.module.css";
import { computePlot } from "#components/charts/plot.ts";
import { prepareWeightSteps } from "#components/charts/prepare-weight-steps.ts";

type WeightChartProps = { weights: readonly { at: string; weight: number }[]; timeDomain: Domain; labelLength: number };

const height = 48;
const valueDomain = [0, 100] as const;
const ticks = [
  { value: 0, text: "0" },
  { value: 100, text: "100 %" },
];

/** Shows the rollout's set weight as a thin step line, on the time axis of the charts below it. */
export function WeightChart({ weights, timeDomain, labelLength }: WeightChartProps) {
  const { ref, width } = useElementSize();
  const steps = prepareWeightSteps(weights, timeDomain);
  const last = steps.at(-1);
  const plot = computePlot({ width, timeDomain, valueDomain, labelLength, height, axisHeight: 6 });
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.legend}>Traffic on the new version</figcaption>
      <div ref={ref} className={classes.plot} style={{ height }}>
        {width > 0 && last !== undefined && (
          <>
            <ChartFrame
              plot={plot}
              timeDomain={timeDomain}
              valueDomain={valueDomain}
              ticks={ticks}
              isBare
              label={`Traffic weight: ${steps.map(({ weight }) => `${weight} %`).join(", ")}`}
            >
              <ReferenceLine y={0} stroke="var(--gh-border)" />
              <ChartLine
                rows={[...steps, { ...last, atMs: timeDomain[1] }].map(({ atMs, weight }) => ({ atMs, value: weight }))}
                color="var(--mantine-primary-color-filled)"
                isStepped
              />
              <ZIndexLayer zIndex={DefaultZIndexes.scatter}>
                {steps.map(({ atMs, weight }) => (
                  <text key={atMs} x={plot.x(atMs) + 4} y={plot.y(weight) + (weight > 60 ? 12 : -4)} data-tone="mark">
                    {weight} %
                  </text>
                ))}
              </ZIndexLayer>
            </ChartFrame>
            <CursorLine plot={plot} timeDomain={timeDomain} />
          </>
        )}
      </div>
    </figure>
  );
}
