"use client";

import { Button, Switch } from "@mantine/core";
import { useEffect, useMemo, useState } from "react";
import { useChartCursor, usePointedSeq } from "#components/charts/chart-cursor.ts";
import { ChartLegend } from "#components/charts/chart-legend.tsx";
import type { ChartSurroundings } from "#components/charts/chart-marks.tsx";
import type { Domain } from "#components/charts/chart-scale.ts";
import classes from "#components/charts/charts.module.css";
import { describePoint } from "#components/charts/describe-point.ts";
import { MetricCursor } from "#components/charts/metric-cursor.tsx";
import { type ComparedLine, MetricPlot } from "#components/charts/metric-plot.tsx";
import { chartHeight, computePlot, stripHeight } from "#components/charts/plot.ts";
import { type ChartedMetric, type ChartPoint, prepareMetricChart } from "#components/charts/prepare-metric-chart.ts";
import { useChartGestures, type Zoom } from "#components/charts/use-chart-gestures.ts";
import type { SeriesDetail } from "#components/charts/use-series-in-view.ts";
import { useWidth } from "#components/charts/use-width.ts";
import { hasLogs, timeOfLogs } from "#components/ui/logs-of-measurement.ts";
import { logsHref } from "#lib/client/rollout-path.ts";
import type { LeftOut, Measurement } from "#lib/contract/analysis-run.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

type MetricChartProps = Zoom & {
  metric: ChartedMetric;
  measurements: readonly Measurement[];
  /** The measurements of the metric that the server left out, if any. */
  leftOut?: LeftOut | undefined;
  /** Whether they are loaded when zooming in; undefined if zooming loads nothing. */
  detail?: SeriesDetail;
  /** Whether numbers may be missing because the server left them out. */
  isThinned?: boolean;
  /** Length in characters of the longest threshold label of all charts on the page. */
  labelLength: number;
  runStartMs: number | undefined;
  surroundings?: ChartSurroundings;
  compared?: readonly ComparedLine[];
  /** Name of the metric's own line, if others are drawn with it. */
  ownName?: string;
  /** The first chart of a page explains marks and earlier runs for all charts. */
  explainsSurroundings?: boolean;
  /** The rollout whose pod logs the points of unsuccessful measurements link to, if any. */
  logsOf?: ObjectRef | undefined;
};

const nothingAround: ChartSurroundings = { marks: [], earlier: [] };
const nothing: readonly ComparedLine[] = [];

/** Shows the measurements of one metric over time, accessible by eye, mouse and keyboard. */
export function MetricChart(props: MetricChartProps) {
  const { metric, measurements, zoom, full, onZoom, labelLength, runStartMs, ownName, logsOf } = props;
  const { leftOut, detail, isThinned = leftOut !== undefined } = props;
  const { surroundings = nothingAround, compared = nothing, explainsSurroundings = true } = props;
  const { ref, width } = useWidth();
  const [isLog, setIsLog] = useState(false);
  const cursor = useChartCursor();
  const timeDomain = zoom ?? full;
  const chart = useMemo(() => {
    const others = compared.flatMap(({ line }) => line.flatMap(({ value }) => value ?? []));
    const earlier = surroundings.earlier.flatMap(({ stretches }) => stretches.map(({ high }) => high));
    const comparedValues = [...others, ...earlier];
    return prepareMetricChart({ metric, measurements, isThinned, timeDomain, isLog, comparedValues });
  }, [metric, measurements, isThinned, timeDomain, isLog, compared, surroundings]);
  const hasMarks = surroundings.marks.length > 0;
  const height = chart.isStrip ? stripHeight : chartHeight;
  const plot = useMemo(() => {
    const { valueDomain, kind } = chart;
    return computePlot({ width, timeDomain, valueDomain, labelLength, kind, hasMarks, height });
  }, [width, timeDomain, chart, labelLength, hasMarks, height]);
  useEffect(() => cursor.register(metric.name, chart.points), [cursor, metric.name, chart]);
  const seq = usePointedSeq(metric.name);
  const active = seq === undefined ? -1 : chart.points.findIndex((point) => point.seq === seq);
  const point = chart.points[active];
  const hrefOf = ({ measurement }: ChartPoint) =>
    logsOf !== undefined && hasLogs(measurement) ? logsHref(logsOf, { at: timeOfLogs(measurement) }) : undefined;
  const { handlers, dragged } = useChartGestures({
    ...{ metric: metric.name, points: chart.points, active, plot, zoom, full, onZoom, hrefOf },
  });
  const leads = point !== undefined && hrefOf(point) !== undefined;
  const count = chart.points.length;

  return (
    <figure className={classes.figure}>
      <div
        ref={ref}
        className={classes.plot}
        role="slider"
        tabIndex={0}
        aria-label={`Chart of ${metric.name}, ${count} measurements; arrow keys move between them, plus and minus zoom`}
        aria-valuemin={0}
        aria-valuemax={count}
        aria-valuenow={active + 1}
        aria-valuetext={
          point === undefined
            ? "No measurement selected"
            : `${describePoint(point, metric.unit)}${leads ? "; Enter opens the logs around it" : ""}`
        }
        {...handlers}
      >
        {width === 0 ? (
          <div style={{ height }} />
        ) : (
          <>
            <MetricPlot
              chart={chart}
              plot={plot}
              timeDomain={timeDomain}
              unit={metric.unit}
              surroundings={surroundings}
              compared={compared}
            />
            {dragged !== undefined && (
              <svg className={classes.overlay} width={width} height={plot.height} aria-hidden="true">
                <rect
                  x={Math.min(...dragged)}
                  y={plot.top}
                  width={Math.abs(dragged[1] - dragged[0])}
                  height={plot.bottom - plot.top}
                  fill="var(--gh-accent-text)"
                  fillOpacity={0.14}
                />
              </svg>
            )}
            <MetricCursor
              name={metric.name}
              chart={chart}
              plot={plot}
              timeDomain={timeDomain}
              unit={metric.unit}
              runStartMs={runStartMs}
              compared={compared}
              marks={surroundings.marks}
              leads={leads}
            />
          </>
        )}
      </div>
      <figcaption className={classes.caption}>
        <ChartLegend
          chart={chart}
          explained={explainsSurroundings ? surroundings : undefined}
          compared={compared}
          ownName={ownName}
          leftOut={leftOut}
          detail={detail}
          drawn={detail === "part" ? countInView(chart.points, timeDomain) : count}
        />
        <span className={classes.tools}>
          {chart.mayUseLog && (
            <Switch
              size="xs"
              label="Log scale"
              checked={isLog}
              onChange={(event) => setIsLog(event.currentTarget.checked)}
            />
          )}
          {zoom !== undefined && (
            <Button size="compact-xs" variant="default" onClick={() => onZoom(undefined)}>
              Reset zoom
            </Button>
          )}
        </span>
      </figcaption>
    </figure>
  );
}

function countInView(points: readonly ChartPoint[], [startMs, endMs]: Domain): number {
  return points.filter(({ atMs }) => atMs >= startMs && atMs <= endMs).length;
}
