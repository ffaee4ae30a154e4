"use client";

import { Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useMemo, useState } from "react";
import { ChartCursorContext, createChartCursor } from "#components/charts/chart-cursor.ts";
import type { Domain } from "#components/charts/chart-scale.ts";
import { fitZoom } from "#components/charts/chart-zoom.ts";
import { DifferenceChart } from "#components/charts/difference-chart.tsx";
import { FoldedMetric } from "#components/charts/folded-metric.tsx";
import { MetricChart } from "#components/charts/metric-chart.tsx";
import { placeBeside } from "#components/charts/place-series.ts";
import { findPlottedField } from "#components/charts/plotted-value.ts";
import { type ChartPoint, prepareLine, preparePoints } from "#components/charts/prepare-metric-chart.ts";
import { labelsOf } from "#components/charts/prepare-thresholds.ts";
import { findFolded } from "#components/charts/run-charts.tsx";
import { computeTimeDomain } from "#components/charts/time-axis.ts";
import { useOpened } from "#components/charts/use-opened.ts";
import { classifyMetric } from "#components/ui/classify-state.ts";
import { MeasurementLogs } from "#components/ui/measurement-logs.tsx";
import { measuredPhaseOf, orderMetrics } from "#components/ui/order-metrics.ts";
import { QueryView } from "#components/ui/query-view.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { formatDuration } from "#lib/client/format-duration.ts";
import { useRunsWithMeasurements } from "#lib/client/run-page-queries.ts";
import type { AnalysisRunDetail, LeftOut, Measurement, RunMetric } from "#lib/contract/analysis-run.ts";
import type { ExperimentAnalysis, ExperimentDetail, ExperimentTemplate } from "#lib/contract/experiment.ts";

type Compared = Pick<ExperimentDetail, "analyses" | "templates">;

/** Shows each metric on one chart: the newer version's values with those of the other versions, and their difference. */
export function Comparison({ experiment }: { experiment: Compared }) {
  const { data, error, retry } = useMeasuredAnalyses(experiment.analyses);
  return (
    <QueryView
      what="The comparison"
      query={{ data, error, refetch: retry }}
      skeleton={<Skeleton height={240} aria-hidden="true" />}
    >
      {(analyses) => <ComparedCharts metrics={groupMeasured(analyses)} templates={experiment.templates} />}
    </QueryView>
  );
}

type ChartsProps = {
  metrics: readonly MeasuredMetric[];
  /** Versions that ran side by side. Without them, the series are of different times and begin together. */
  templates?: readonly ExperimentTemplate[];
};

/** Shows each metric's series on one chart, with the limits of the newest. */
export function ComparedCharts({ metrics, templates }: ChartsProps) {
  const [cursor] = useState(createChartCursor);
  const { isOpen, toggle } = useOpened();
  const folded = findFolded(metrics.map(({ name, own, others }) => ({ name, phase: worstOf([own, ...others]) })));
  const labels = metrics.flatMap(({ own }) => labelsOf(own.metric).map(({ length }) => length));
  const full = useMemo(() => computeSharedDomain(metrics, templates === undefined), [metrics, templates]);
  const [zoom, setZoom] = useState(() => (templates === undefined ? fitShorter(metrics, full) : undefined));
  if (metrics.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing was measured yet.
      </Text>
    );
  return (
    <ChartCursorContext value={cursor}>
      <Stack gap="md">
        {zoom !== undefined && zoom[0] === full[0] && (
          <Text size="sm" c="dimmed">
            First {formatDuration(zoom[1] - zoom[0])} of {formatDuration(full[1] - full[0])} shown.
          </Text>
        )}
        {metrics.map((metric) => {
          const { name, own } = metric;
          const chart = (
            <ComparedMetric
              metric={metric}
              templates={templates}
              full={full}
              zoom={zoom}
              onZoom={setZoom}
              labelLength={Math.max(0, ...labels)}
            />
          );
          return (
            <div key={name} data-compared={name}>
              {folded.has(name) ? (
                <FoldedMetric
                  metric={own.metric}
                  measurements={own.measurements}
                  isOpen={isOpen(name)}
                  onToggle={() => toggle(name)}
                >
                  {chart}
                </FoldedMetric>
              ) : (
                chart
              )}
            </div>
          );
        })}
      </Stack>
    </ChartCursorContext>
  );
}

/**
 * Returns the range of the shorter run and a fifth more, if the other one is at least twice as long: on the whole axis,
 * the points of the shorter run would stand on each other. Undefined: the whole.
 */
export function fitShorter(
  metrics: readonly Pick<MeasuredMetric, "own" | "others">[],
  full: Domain,
): Domain | undefined {
  const lengths = new Map<MeasuredSeries["run"], number>();
  for (const { own, others } of metrics) {
    for (const series of [own, ...others]) {
      if (series.run.startedAt === null || own.run.startedAt === null) continue;
      const last = placeSeries(series, own).points.at(-1)?.atMs ?? 0;
      lengths.set(series.run, Math.max(lengths.get(series.run) ?? 0, last - Date.parse(own.run.startedAt)));
    }
  }
  const shorter = Math.min(...lengths.values());
  if (lengths.size < 2 || shorter <= 0 || Math.max(...lengths.values()) < shorter * 2) return undefined;
  // All series are drawn from the start of the first one.
  const start = Date.parse(metrics[0]?.own.run.startedAt ?? "");
  return fitZoom(start - shorter * 0.05, start + shorter * 1.2, full);
}

/** Computes the time axis of all series. `isShifted`: each begins with its own metric's newest series. */
function computeSharedDomain(metrics: readonly MeasuredMetric[], isShifted: boolean): Domain {
  const times = metrics.flatMap(({ own, others }) =>
    [own, ...others].flatMap((series) =>
      (isShifted ? placeSeries(series, own).points : preparePoints(series.measurements)).map(({ atMs }) => ({
        startedAt: new Date(atMs).toISOString(),
      })),
    ),
  );
  return computeTimeDomain({ startedAt: metrics[0]?.own.run.startedAt ?? null }, times);
}

/** Places a series that ran at another time beside `own`. */
export function placeSeries(
  series: Placeable,
  own: Placeable,
  field?: string,
): { points: ChartPoint[]; isByNumber: boolean } {
  const [start, ownStart] = [series.run.startedAt, own.run.startedAt];
  const shiftMs = start === null || ownStart === null ? 0 : Date.parse(ownStart) - Date.parse(start);
  const points = preparePoints(series.measurements, field);
  const { placed, isByNumber } = placeBeside(preparePoints(own.measurements), [{ points, shiftMs }]);
  return { points: placed.flat(), isByNumber };
}

type Placeable = Pick<MeasuredSeries, "run" | "measurements">;

type ComparedMetricProps = {
  metric: MeasuredMetric;
  templates: readonly ExperimentTemplate[] | undefined;
  full: Domain;
  zoom: Domain | undefined;
  onZoom: (zoom: Domain | undefined) => void;
  labelLength: number;
};

function ComparedMetric({ metric, templates, full, zoom, onZoom, labelLength }: ComparedMetricProps) {
  const { name, own, others } = metric;
  const isShifted = templates === undefined;
  const compared = useMemo(
    () =>
      others.map((series) => {
        const field = findPlottedField(series.metric.thresholds, series.measurements);
        const { points, isByNumber } = isShifted
          ? placeSeries(series, own, field)
          : { points: preparePoints(series.measurements, field), isByNumber: false };
        const shifted = `${series.name}${isByNumber ? ", by measurement number" : " (from the same start)"}`;
        return {
          name: isShifted ? shifted : nameOf(series, templates),
          short: series.name,
          points,
          line: prepareLine(points, series.metric.gaps, series.leftOut !== undefined),
        };
      }),
    [own, others, templates, isShifted],
  );
  const ownPoints = useMemo(() => preparePoints(own.measurements), [own.measurements]);
  const hasDifference = !isShifted && own.metric.phase !== "Pending";
  return (
    <>
      <Title order={3}>{name}</Title>
      {[own, ...others].map((series) => (
        <SeriesVerdict key={series.name} series={series} />
      ))}
      {others.map((series) => (
        <OtherLimits key={series.name} series={series} own={own} />
      ))}
      <MetricChart
        metric={own.metric}
        measurements={own.measurements}
        leftOut={own.leftOut}
        zoom={zoom}
        full={full}
        onZoom={onZoom}
        labelLength={labelLength}
        runStartMs={isShifted && own.run.startedAt !== null ? Date.parse(own.run.startedAt) : undefined}
        logsOf={own.run.rollout ?? undefined}
        compared={compared}
        ownName={isShifted ? own.name : nameOf(own, templates)}
      />
      {hasDifference &&
        compared.map((other) => (
          <DifferenceChart
            key={other.name}
            label={`${own.name} minus ${other.short}`}
            own={ownPoints}
            other={other.points}
            timeDomain={zoom ?? full}
            labelLength={labelLength}
            unit={own.metric.unit}
          />
        ))}
    </>
  );
}

/** Says how one version passed or failed, with links to the logs of its failures. */
function SeriesVerdict({ series: { name, metric, measurements, run } }: { series: MeasuredSeries }) {
  return (
    <div>
      <Group gap="xs" mb={4}>
        <StateBadge shown={classifyMetric(metric)} size="sm" variant="plain" />
        <Text span size="sm">
          {name}
        </Text>
        <Text span size="xs" c="dimmed">
          {metric.explanation}
        </Text>
      </Group>
      {run.rollout !== null && (
        <MeasurementLogs
          rollout={run.rollout}
          metric={metric.name}
          measurements={measurements}
          runStartedAt={run.startedAt}
        />
      )}
    </div>
  );
}

/** Names the limits of a series if they are not those that the chart draws. */
function OtherLimits({ series, own }: { series: MeasuredSeries; own: MeasuredSeries }) {
  const [limits, drawn] = [series, own].map(({ metric }) => labelsOf(metric).join(", "));
  if (limits === drawn) return null;
  return (
    <Text size="xs" c="dimmed">
      <bdi>{series.name}</bdi> had other limits: {limits === "" ? "none" : limits}
    </Text>
  );
}

/** The worst phase of the versions: a metric passes if it passes for all of them. */
function worstOf(series: readonly MeasuredSeries[]): RunMetric["phase"] {
  const [worst] = orderMetrics(series.map(({ metric }) => metric));
  return worst === undefined ? "Unknown" : measuredPhaseOf(worst);
}

/** Names a series by its version and image; the image only if it is certain which version was measured. */
function nameOf({ name, template }: MeasuredSeries, templates: readonly ExperimentTemplate[]): string {
  const images = templates.find((one) => one.name === template)?.images ?? [];
  return images.length === 0 ? name : `${name} · ${images.join(", ")}`;
}

/** Loads the runs of an Experiment's analyses with their measurements. `data` is undefined until all of them are there. */
function useMeasuredAnalyses(analyses: readonly ExperimentAnalysis[]): {
  data: MeasuredAnalysis[] | undefined;
  error: Error | null;
  retry: () => void;
} {
  const begun = analyses.flatMap((analysis) =>
    analysis.run === null || analysis.run.uid === null ? [] : [{ analysis, uid: analysis.run.uid }],
  );
  const { data, error, retry } = useRunsWithMeasurements(begun.map(({ uid }) => uid));
  const loaded = data?.flatMap((each, index) => {
    const analysis = begun[index]?.analysis;
    return analysis === undefined ? [] : [{ analysis, ...each }];
  });
  return { data: loaded, error, retry };
}

export type MeasuredAnalysis = {
  analysis: Pick<ExperimentAnalysis, "name" | "measures">;
  run: Pick<AnalysisRunDetail, "uid" | "metrics" | "startedAt" | "completedAt" | "rollout">;
  measurements: readonly Measurement[];
  /** The measurements that the server left out. */
  leftOut: readonly LeftOut[];
};

/** One version's values of a metric. */
type MeasuredSeries = {
  /**
   * The version, or the analysis if it is not certain which one it measures; both if several analyses measure the
   * version.
   */
  name: string;
  analysis: string;
  run: Pick<AnalysisRunDetail, "uid" | "startedAt" | "rollout">;
  /** Undefined unless the analysis is known to measure this one version. */
  template: string | undefined;
  metric: RunMetric;
  measurements: readonly Measurement[];
  leftOut: LeftOut | undefined;
};

export type MeasuredMetric = { name: string; own: MeasuredSeries; others: MeasuredSeries[] };

type FindOwn = (series: readonly MeasuredSeries[]) => MeasuredSeries | undefined;

/**
 * Groups the series of analyses by metric, the worst first. All others are compared with the newer version's series
 * (`own`): in an Experiment, the first whose name is not that of an old version.
 */
export function groupMeasured(analyses: readonly MeasuredAnalysis[], findOwn: FindOwn = findNewer): MeasuredMetric[] {
  const series = analyses.flatMap(({ analysis, run, measurements, leftOut }) =>
    run.metrics.map(
      (metric): MeasuredSeries => ({
        name: analysis.measures ?? analysis.name,
        analysis: analysis.name,
        run,
        template: analysis.measures ?? undefined,
        metric,
        measurements: measurements.filter((measurement) => measurement.metric === metric.name),
        leftOut: leftOut.find((each) => each.metric === metric.name),
      }),
    ),
  );
  const groups = [...Map.groupBy(series, ({ metric }) => metric.name)].flatMap(([name, all]) => {
    const own = findOwn(all);
    if (own === undefined) return [];
    const others = all.filter((one) => one !== own).map((one) => distinguish(one, all));
    return [{ name, own: distinguish(own, all), others }];
  });
  const ordered = orderMetrics(
    groups.map(({ own, others, ...group }) => ({
      ...{ ...group, own, others },
      phase: worstOf([own, ...others]),
      dryRun: own.metric.dryRun,
    })),
  );
  return ordered.map(({ name, own, others }) => ({ name, own, others }));
}

/** Adds the analysis to the name of a version that several analyses measure. */
function distinguish(one: MeasuredSeries, all: readonly MeasuredSeries[]): MeasuredSeries {
  const isAmbiguous = one.template !== undefined && all.some((other) => other !== one && other.name === one.name);
  return isAmbiguous ? { ...one, name: `${one.name}, ${one.analysis}` } : one;
}

const findNewer: FindOwn = (all) =>
  all.find(({ name }) => !/baseline|stable|control|old|current|primary/i.test(name)) ?? all[0];
