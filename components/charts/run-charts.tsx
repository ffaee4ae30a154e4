"use client";

import { Stack, Text } from "@mantine/core";
import { useMemo } from "react";
import classes from "#components/charts/charts.module.css";
import { MetricChart } from "#components/charts/metric-chart.tsx";
import { isPlottedAccessor, labelOf } from "#components/charts/prepare-metric-chart.ts";
import { computeTimeDomain } from "#components/charts/time-axis.ts";
import { WeightChart } from "#components/charts/weight-chart.tsx";
import type { AnalysisRunDetail, Measurement, RunMetric } from "#lib/contract/analysis-run.ts";

type RunChartsProps = {
  run: AnalysisRunDetail;
  measurements: readonly Measurement[];
  /** Rendered above each chart. */
  renderHeader: (metric: RunMetric) => React.ReactNode;
  renderFooter?: (metric: RunMetric) => React.ReactNode;
  /** The id of a metric's section, if links lead there. */
  idOf?: (name: string) => string;
};

/**
 * Shows a chart per metric on a shared time axis, with the rollout's weight on top. Loaded only by pages with charts.
 */
export function RunCharts({ run, measurements, renderHeader, renderFooter, idOf }: RunChartsProps) {
  const timeDomain = useMemo(() => computeTimeDomain(run, measurements), [run, measurements]);
  const byMetric = useMemo(() => Map.groupBy(measurements, ({ metric }) => metric), [measurements]);
  const labelLength = Math.max(
    0,
    ...run.metrics.flatMap(({ thresholds }) => thresholds.map((one) => labelOf(one).length)),
  );
  return (
    <Stack gap="lg">
      {run.weights.length > 0 && (
        <WeightChart weights={run.weights} timeDomain={timeDomain} labelLength={labelLength} />
      )}
      {run.metrics.map((metric) => (
        <section
          key={metric.name}
          id={idOf?.(metric.name)}
          className={idOf === undefined ? undefined : classes.card}
          aria-label={`Metric ${metric.name}`}
        >
          {renderHeader(metric)}
          <MetricChart
            metric={metric}
            measurements={byMetric.get(metric.name) ?? none}
            timeDomain={timeDomain}
            labelLength={labelLength}
          />
          {!(metric.conditionsDrawn && metric.thresholds.every(({ accessor }) => isPlottedAccessor(accessor))) && (
            <Text size="xs" c="dimmed" className={classes.readout}>
              The conditions are more complex than the lines;{" "}
              {renderFooter === undefined ? "the run's page" : "the text below"} shows them in full.
            </Text>
          )}
          {renderFooter?.(metric)}
        </section>
      ))}
    </Stack>
  );
}

const none: readonly Measurement[] = [];
