"use client";

import { parseAsIsoDateTime, useQueryStates } from "nuqs";
import { LazyRunCharts } from "#components/charts/lazy-charts.tsx";
import type { AskedZoom } from "#components/charts/run-charts.tsx";
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

const parsers = { from: parseAsIsoDateTime, to: parseAsIsoDateTime };

/** Keeps in the URL which part of the time the charts of a run show, so that a link shows the same. */
function useChartZoom(): AskedZoom {
  const [{ from, to }, set] = useQueryStates(parsers, { history: "replace", throttleMs: 300 });
  return {
    from: from?.getTime(),
    to: to?.getTime(),
    onZoom: (zoom) =>
      void set(
        zoom === undefined
          ? { from: null, to: null }
          : { from: new Date(Math.floor(zoom[0])), to: new Date(Math.ceil(zoom[1])) },
      ),
  };
}
