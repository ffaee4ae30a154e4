"use client";

import { Text } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useId, useMemo, useState } from "react";
import { CartesianGrid, ComposedChart, Line, ReferenceArea, ReferenceLine, XAxis, YAxis } from "recharts";
import { findNearest } from "#components/charts/chart-cursor.ts";
import type { Domain } from "#components/charts/chart-scale.ts";
import classes from "#components/charts/charts.module.css";
import { describePoint, moveIndex } from "#components/charts/describe-point.ts";
import { MetricMarks } from "#components/charts/metric-marks.tsx";
import { chartHeight, computePlot } from "#components/charts/plot.ts";
import { prepareMetricChart } from "#components/charts/prepare-metric-chart.ts";
import { computeTimeTicks } from "#components/charts/time-axis.ts";
import { formatTick } from "#components/ui/format-time.ts";
import type { Measurement, RunMetric } from "#lib/contract/analysis-run.ts";

type MetricChartProps = {
  metric: Pick<RunMetric, "name" | "thresholds" | "gaps" | "recorded" | "conditionsDrawn">;
  measurements: readonly Measurement[];
  timeDomain: Domain;
  /** Length in characters of the longest threshold label of all charts on the page. */
  labelLength: number;
};

/** Shows the measurements of one metric over time, accessible by eye, mouse and keyboard. */
export function MetricChart({ metric, measurements, timeDomain, labelLength }: MetricChartProps) {
  const { ref, width } = useElementSize();
  const [active, setActive] = useState(-1);
  const gapPattern = useId();
  const chart = useMemo(
    () => prepareMetricChart({ metric, measurements, timeDomain }),
    [metric, measurements, timeDomain],
  );
  const plot = computePlot({
    width,
    timeDomain,
    valueDomain: chart.valueDomain,
    labelLength,
  });
  const point = chart.points[active];
  const count = chart.points.length;

  function hover(event: React.PointerEvent<HTMLDivElement>): void {
    // A page that moves below a resting pointer is not somebody pointing.
    if (event.movementX === 0 && event.movementY === 0) return;
    const left = event.clientX - event.currentTarget.getBoundingClientRect().left;
    setActive(findNearest(chart.points, plot.timeAt(left)));
  }

  function press(event: React.KeyboardEvent): void {
    const next = moveIndex(event.key, active, count);
    if (next === undefined || count === 0) return;
    event.preventDefault();
    setActive(next);
  }

  return (
    <figure className={classes.figure}>
      <div
        ref={ref}
        className={classes.plot}
        role="slider"
        tabIndex={0}
        aria-label={`Chart of ${metric.name}, ${count} measurements; arrow keys move between them`}
        aria-valuemin={0}
        aria-valuemax={count}
        aria-valuenow={active + 1}
        aria-valuetext={point === undefined ? "No measurement selected" : describePoint(point)}
        onPointerMove={hover}
        onPointerLeave={(event) => event.currentTarget.matches(":focus-visible") || setActive(-1)}
        onFocus={(event) => event.currentTarget.matches(":focus-visible") && active === -1 && setActive(count - 1)}
        onBlur={() => setActive(-1)}
        onKeyDown={press}
      >
        {width === 0 ? (
          <div style={{ height: chartHeight }} />
        ) : (
          <ComposedChart
            width={width}
            height={chartHeight}
            data={chart.line}
            margin={plot.margin}
            accessibilityLayer={false}
          >
            <defs>
              <pattern id={gapPattern} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                <path d="M0 0V6" stroke="var(--gh-grey-mark)" strokeWidth="1.5" />
              </pattern>
            </defs>
            <CartesianGrid vertical={false} stroke="var(--gh-border)" />
            <XAxis
              dataKey="atMs"
              type="number"
              scale="linear"
              domain={[timeDomain[0], timeDomain[1]]}
              ticks={computeTimeTicks(timeDomain, plot.right - plot.left)}
              tickFormatter={(at: number) => formatTick(at, timeDomain[1] - timeDomain[0])}
              height={plot.axisHeight}
              stroke="var(--gh-border-strong)"
              allowDataOverflow
            />
            <YAxis
              type="number"
              domain={[chart.valueDomain[0], chart.valueDomain[1]]}
              ticks={chart.ticks.map(({ value }) => value)}
              tickFormatter={(value: number) => chart.ticks.find((tick) => tick.value === value)?.text ?? ""}
              width={plot.axisWidth}
              stroke="var(--gh-border-strong)"
              allowDataOverflow
            />
            {chart.thresholds.map(
              ({ band, condition, operator, text }) =>
                band !== undefined && (
                  <ReferenceArea
                    key={`${condition} ${operator} ${text}`}
                    y1={band[0]}
                    y2={band[1]}
                    fill={condition === "success" ? "var(--gh-green-mark)" : "var(--gh-red-mark)"}
                    fillOpacity={0.07}
                    strokeOpacity={0}
                  />
                ),
            )}
            {chart.gaps.map(({ fromMs, toMs }) => (
              <ReferenceArea
                key={fromMs}
                x1={fromMs}
                x2={toMs}
                fill={`url(#${gapPattern})`}
                fillOpacity={0.45}
                strokeOpacity={0}
              />
            ))}
            {chart.thresholds.map(
              ({ value, condition, inclusive, isOffScale, operator, text }) =>
                !isOffScale && (
                  <ReferenceLine
                    key={`${condition} ${operator} ${text}`}
                    y={value}
                    stroke={condition === "success" ? "var(--gh-green-mark)" : "var(--gh-red-mark)"}
                    strokeWidth={1.5}
                    strokeDasharray={inclusive ? undefined : "5 4"}
                  />
                ),
            )}
            <Line
              dataKey="value"
              type="linear"
              stroke="var(--gh-slate-mark)"
              strokeWidth={1.5}
              dot={false}
              activeDot={false}
              connectNulls={false}
              isAnimationActive={false}
            />
            <MetricMarks chart={chart} plot={plot} active={active} />
          </ComposedChart>
        )}
      </div>
      <figcaption className={classes.readout}>
        {point === undefined ? <Hint chart={chart} /> : <Text size="xs">{describePoint(point)}</Text>}
      </figcaption>
    </figure>
  );
}

function Hint({ chart }: { chart: ReturnType<typeof prepareMetricChart> }) {
  if (chart.points.length === 0) return <>No measurements yet.</>;
  const lost = chart.gaps.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      {chart.isDecimated &&
        "The chart leaves out some measurements but keeps minima and maxima. The table shows them all. "}
      {lost > 0 &&
        `${lost === 1 ? "1 measurement was" : `${lost} measurements were`} lost; the hatched part shows where. `}
      Hover over a measurement, or use the arrow keys, to see its exact value.
    </>
  );
}
