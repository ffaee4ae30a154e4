"use client";

import { Stack, Text } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useMemo, useState } from "react";
import { DefaultZIndexes, ReferenceLine, ZIndexLayer } from "recharts";
import { ChartCursorContext, createChartCursor } from "#components/charts/chart-cursor.ts";
import { ChartFrame, ChartLine, CursorLine } from "#components/charts/chart-frame.tsx";
import type { ChartSurroundings } from "#components/charts/chart-marks.tsx";
import type { Domain } from "#components/charts/chart-scale.ts";
import { fitZoom } from "#components/charts/chart-zoom.ts";
import classes from "#components/charts/charts.module.css";
import { FoldedMetric } from "#components/charts/folded-metric.tsx";
import { MetricChart } from "#components/charts/metric-chart.tsx";
import { placeBeside } from "#components/charts/place-series.ts";
import { computePlot } from "#components/charts/plot.ts";
import { findPlottedField, isPlottedAccessor } from "#components/charts/plotted-value.ts";
import { preparePoints } from "#components/charts/prepare-metric-chart.ts";
import { labelsOf } from "#components/charts/prepare-thresholds.ts";
import { prepareWeightSteps } from "#components/charts/prepare-weight-steps.ts";
import { computeTimeDomain, spreadSeconds } from "#components/charts/time-axis.ts";
import type { Zoom } from "#components/charts/use-chart-gestures.ts";
import { useOpened } from "#components/charts/use-opened.ts";
import { useSeriesInView } from "#components/charts/use-series-in-view.ts";
import { measuredPhaseOf } from "#components/ui/order-metrics.ts";
import type { AnalysisRunDetail, EarlierSeries, LeftOut, Measurement, RunMetric } from "#lib/contract/analysis-run.ts";

/** The requested time range in milliseconds, with its setter; undefined: from the beginning, to the end. */
export type AskedZoom = { from: number | undefined; to: number | undefined; onZoom: Zoom["onZoom"] };

type RunChartsProps = {
  run: AnalysisRunDetail;
  measurements: readonly Measurement[];
  /** Measurements that the server left out; a zoomed range is then loaded in more detail. */
  leftOut: readonly LeftOut[];
  /** The series of earlier runs, faint behind the lines. */
  earlier?: readonly EarlierSeries[];
  /** Rendered above each chart. */
  renderHeader: (metric: RunMetric) => React.ReactNode;
  renderFooter?: (metric: RunMetric) => React.ReactNode;
  /** If absent, the charts keep their zoom themselves. */
  askedZoom?: AskedZoom;
  /** The id of a metric's section, if links lead there. */
  idOf?: (name: string) => string;
};

/**
 * Shows a chart per metric on a shared time axis, with the rollout's weight on top, one crosshair and one zoom. Loaded
 * only by pages with charts.
 */
export function RunCharts(props: RunChartsProps) {
  const { run, measurements, leftOut, earlier = noSeries, renderHeader, renderFooter, askedZoom, idOf } = props;
  const [cursor] = useState(createChartCursor);
  const [ownZoom, setOwnZoom] = useState<Domain>();
  const full = useMemo(() => computeTimeDomain(run, measurements), [run, measurements]);
  const { from, to, onZoom = setOwnZoom } = askedZoom ?? {};
  const fitted = useMemo(() => fitZoom(from, to, full), [from, to, full]);
  const zoom = askedZoom === undefined ? ownZoom : fitted;
  const series = useSeriesInView(run.uid, { measurements, leftOut }, zoom);
  const shown = series.measurements;
  const byMetric = useMemo(() => Map.groupBy(shown, ({ metric }) => metric), [shown]);
  const around = useMemo(() => prepareSurroundings({ run, measurements, earlier }), [run, measurements, earlier]);
  const labelLength = Math.max(0, ...run.metrics.flatMap(labelsOf).map(({ length }) => length));
  // A metric with nothing left out is complete, whatever happens to the others.
  const detailOf = (name: string) => (leftOut.some(({ metric }) => metric === name) ? series.detail : "whole");
  const runStartMs = run.startedAt === null ? undefined : Date.parse(run.startedAt);
  const folded = findFolded(run.metrics);
  const { isOpen, toggle } = useOpened(idOf);
  const firstChart = run.metrics.find(({ name }) => !folded.has(name) || isOpen(name))?.name;
  return (
    <ChartCursorContext value={cursor}>
      <Stack gap="lg">
        {run.weights.length > 0 && (
          <div className={idOf === undefined ? undefined : classes.aligned}>
            <WeightChart run={run} timeDomain={zoom ?? full} labelLength={labelLength} />
          </div>
        )}
        {run.metrics.map((metric) => {
          const own = byMetric.get(metric.name) ?? none;
          const content = (
            <>
              {renderHeader(metric)}
              <MetricChart
                metric={metric}
                measurements={own}
                isThinned={leftOut.some((each) => each.metric === metric.name)}
                leftOut={series.leftOut.find((each) => each.metric === metric.name)}
                detail={detailOf(metric.name)}
                zoom={zoom}
                full={full}
                onZoom={onZoom}
                labelLength={labelLength}
                runStartMs={runStartMs}
                logsOf={run.rollout ?? undefined}
                explainsSurroundings={metric.name === firstChart}
                {...withSurroundings(around, metric.name)}
              />
              <DrawnNotes
                metric={metric}
                measurements={own}
                whole={renderFooter === undefined ? "the run's page" : "the text below"}
              />
              {renderFooter?.(metric)}
            </>
          );
          return (
            <section
              key={metric.name}
              id={idOf?.(metric.name)}
              className={idOf === undefined ? undefined : classes.card}
              aria-label={`Metric ${metric.name} of ${run.name}`}
            >
              {folded.has(metric.name) ? (
                <FoldedMetric
                  metric={metric}
                  measurements={own}
                  isOpen={isOpen(metric.name)}
                  onToggle={() => toggle(metric.name)}
                >
                  {content}
                </FoldedMetric>
              ) : (
                content
              )}
            </section>
          );
        })}
      </Stack>
    </ChartCursorContext>
  );
}

/** Finds the metrics that are shown as a line at first: those that pass. If all pass, the first one is still charted. */
export function findFolded(
  metrics: readonly (Pick<RunMetric, "name" | "phase"> & Partial<Pick<RunMetric, "replayedPhase">>)[],
): ReadonlySet<string> {
  const passing = metrics.filter((metric) => measuredPhaseOf(metric) === "Successful");
  const folded = passing.length === metrics.length ? passing.slice(1) : passing;
  return new Set(folded.map(({ name }) => name));
}

type DrawnNotesProps = { metric: RunMetric; measurements: readonly Measurement[]; whole: string };

/** Names the field that is drawn for objects, and notes if the lines show only a part of the conditions. */
function DrawnNotes({ metric: { conditionsDrawn, thresholds }, measurements, whole }: DrawnNotesProps) {
  const field = findPlottedField(thresholds, measurements);
  const areAllDrawn = conditionsDrawn && thresholds.every(({ accessor }) => isPlottedAccessor(accessor, field));
  return (
    <>
      {field !== undefined && (
        <Text size="xs" c="dimmed">
          Drawn: <code>{field}</code> of each value.
        </Text>
      )}
      {!areAllDrawn && (
        <Text size="xs" c="dimmed">
          The conditions are more complex than the lines; {whole} shows them in full.
        </Text>
      )}
    </>
  );
}

const none: readonly Measurement[] = [];
const noSeries: readonly EarlierSeries[] = [];

function withSurroundings(around: ReturnType<typeof prepareSurroundings>, metric: string) {
  const surroundings = around.get(metric);
  return surroundings === undefined ? {} : { surroundings };
}

type Input = {
  run: Pick<AnalysisRunDetail, "metrics" | "marks" | "startedAt">;
  measurements: readonly Measurement[];
  earlier: readonly EarlierSeries[];
};

/**
 * Prepares the context of each metric's line. Earlier runs are shifted to begin with this one or, if not all were
 * measured about as often, placed by the numbers of their measurements.
 */
export function prepareSurroundings({ run, measurements, earlier }: Input): Map<string, ChartSurroundings> {
  const marks = run.marks.map(({ at, kind, text, did }) => ({ atMs: Date.parse(at), kind, text, did }));
  const startMs = run.startedAt === null ? undefined : Date.parse(run.startedAt);
  return new Map(
    run.metrics.map(({ name }) => {
      const lines = (startMs === undefined ? [] : earlier.filter(({ metric }) => metric === name)).map((series) => ({
        uid: series.uid,
        points: series.points.map(({ offsetSeconds, ...point }) => ({
          ...point,
          atMs: (startMs ?? 0) + offsetSeconds * 1_000,
        })),
        // They count from the start of this run already.
        shiftMs: 0,
      }));
      // A live run computes this again with each measurement.
      const points = lines.length === 0 ? [] : preparePoints(measurements.filter(({ metric }) => metric === name));
      const { placed, isByNumber } = placeBeside(points, lines);
      return [
        name,
        {
          marks,
          isEarlierByNumber: isByNumber,
          earlier: lines.map(({ uid }, index) => ({ uid, stretches: spreadSeconds(placed[index] ?? []) })),
        },
      ];
    }),
  );
}

/** The weights of a run are known until its end only: an abort or a further step may follow at once. */
export function findWeightsEnd({ completedAt }: Pick<AnalysisRunDetail, "completedAt">, [, end]: Domain): number {
  return completedAt === null ? end : Math.min(end, Date.parse(completedAt));
}

type WeightChartProps = {
  run: Pick<AnalysisRunDetail, "weights" | "completedAt">;
  timeDomain: Domain;
  labelLength: number;
};

const height = 48;
const valueDomain = [0, 100] as const;
const ticks = [
  { value: 0, text: "0 %" },
  { value: 100, text: "100 %" },
];

/** Shows the rollout's set weight as a thin step line until the run's end, on the time axis of the charts below it. */
function WeightChart({ run, timeDomain, labelLength }: WeightChartProps) {
  const { ref, width } = useElementSize();
  const endMs = findWeightsEnd(run, timeDomain);
  const steps = endMs > timeDomain[0] ? prepareWeightSteps(run.weights, [timeDomain[0], endMs]) : [];
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
                rows={[...steps, { ...last, atMs: endMs }].map(({ atMs, weight }) => ({ atMs, value: weight }))}
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
