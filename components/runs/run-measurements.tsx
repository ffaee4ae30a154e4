"use client";

import { LazyRunCharts } from "#components/charts/lazy-charts.tsx";
import { useChartZoom } from "#components/charts/use-chart-zoom.ts";
import { MeasurementTable } from "#components/runs/measurement-table.tsx";
import { metricAnchor } from "#components/runs/metric-anchor.ts";
import { MetricHeader } from "#components/runs/metric-header.tsx";
import { MetricRules } from "#components/runs/metric-rules.tsx";
import { MeasurementLogs } from "#components/ui/measurement-logs.tsx";
import { useEarlierSeries } from "#lib/client/run-page-queries.ts";
import type { AnalysisRunDetail, MeasurementList } from "#lib/contract/analysis-run.ts";

type RunMeasurementsProps = { run: AnalysisRunDetail; list: MeasurementList };

/** Shows each metric of a run with its chart, its rules and its measurements. */
export function RunMeasurements({ run, list }: RunMeasurementsProps) {
  const askedZoom = useChartZoom();
  const { items: measurements, leftOut = [] } = list;
  // Without it the charts are complete, so that neither loading nor an error is shown.
  const earlier = useEarlierSeries(run.uid).data?.items;
  return (
    <LazyRunCharts
      run={run}
      measurements={measurements}
      leftOut={leftOut}
      idOf={metricAnchor}
      askedZoom={askedZoom}
      {...(earlier === undefined ? {} : { earlier })}
      renderHeader={(metric) => (
        <MetricHeader
          metric={metric}
          verdict={run.verdict}
          backtestOf={run.presence === "derived" ? null : run.rollout}
        />
      )}
      renderFooter={(metric) => (
        <>
          {run.rollout !== null && (
            <MeasurementLogs
              rollout={run.rollout}
              metric={metric.name}
              measurements={measurements}
              runStartedAt={run.startedAt}
            />
          )}
          <MetricRules metric={metric} />
          <MeasurementTable run={run} metric={metric} />
        </>
      )}
    />
  );
}
