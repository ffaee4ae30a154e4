"use client";

import { LazyRunCharts } from "#components/charts/lazy-run-charts.tsx";
import { MeasurementTable } from "#components/runs/measurement-table.tsx";
import { MetricHeader } from "#components/runs/metric-header.tsx";
import { MetricRules } from "#components/runs/metric-rules.tsx";
import type { AnalysisRunDetail, Measurement } from "#lib/contract/analysis-run.ts";

type RunMeasurementsProps = { run: AnalysisRunDetail; measurements: readonly Measurement[] };

/** Shows each metric of a run with its chart, its rules and its measurements. */
export function RunMeasurements({ run, measurements }: RunMeasurementsProps) {
  return (
    <LazyRunCharts
      run={run}
      measurements={measurements}
      renderHeader={(metric) => (
        <MetricHeader metric={metric} backtestOf={run.presence === "derived" ? null : run.rollout} />
      )}
      renderFooter={(metric) => (
        <>
          <MetricRules metric={metric} />
          <MeasurementTable run={run} metric={metric} />
        </>
      )}
    />
  );
}
