"use client";

import { useMemo } from "react";
import { LazyRunCharts } from "#components/charts/lazy-charts.tsx";
import { LoadedRun } from "#components/ui/live-run.tsx";
import { MeasurementLogs } from "#components/ui/measurement-logs.tsx";
import { useEarlierSeries } from "#lib/client/run-page-queries.ts";
import type { AnalysisRunDetail, MeasurementList } from "#lib/contract/analysis-run.ts";
import type { MetricEvidence } from "#lib/contract/evidence.ts";

/** Charts one metric of a run, with links to the logs of its failures below. The page shows its name above. */
export function DecidingChart({ evidence: { runUid, metric } }: { evidence: MetricEvidence }) {
  return (
    <LoadedRun uid={runUid} what="The chart">
      {(run, list) => <MetricOfRun run={run} list={list} metric={metric} />}
    </LoadedRun>
  );
}

function MetricOfRun({ run, list, metric }: { run: AnalysisRunDetail; list: MeasurementList; metric: string }) {
  const shown = useMemo(
    () => ({
      run: { ...run, weights: [], metrics: run.metrics.filter(({ name }) => name === metric) },
      items: list.items.filter((each) => each.metric === metric),
      leftOut: (list.leftOut ?? []).filter((each) => each.metric === metric),
    }),
    [run, list, metric],
  );
  const earlier = useEarlierSeries(run.uid).data?.items;
  return (
    <>
      <LazyRunCharts
        run={shown.run}
        {...(earlier === undefined ? {} : { earlier })}
        measurements={shown.items}
        leftOut={shown.leftOut}
        renderHeader={() => null}
      />
      {run.rollout !== null && (
        <MeasurementLogs
          rollout={run.rollout}
          metric={metric}
          measurements={shown.items}
          runStartedAt={run.startedAt}
        />
      )}
    </>
  );
}
