"use client";

import { Skeleton } from "@mantine/core";
import dynamic from "next/dynamic";
import { useMemo } from "react";
import { LazyRunCharts } from "#components/charts/lazy-charts.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { useChartMeasurements, useRun } from "#lib/client/run-queries.ts";
import type { MetricEvidence } from "#lib/contract/evidence.ts";

const MeasurementLogs = dynamic(
  () => import("#components/ui/measurement-logs.tsx").then((module) => module.MeasurementLogs),
  { ssr: false },
);

/** Charts one metric of a run, with links to the logs of its failures. Its name and rules stand above it. */
export function DecidingChart({ evidence: { runUid, metric } }: { evidence: MetricEvidence }) {
  const run = useRun(runUid);
  const measurements = useChartMeasurements(runUid);
  const data = useMemo(() => {
    if (run.data === undefined || measurements.data === undefined) return undefined;
    const { items, leftOut = [] } = measurements.data;
    return {
      run: { ...run.data, weights: [], metrics: run.data.metrics.filter(({ name }) => name === metric) },
      items: items.filter((each) => each.metric === metric),
      leftOut: leftOut.filter((each) => each.metric === metric),
    };
  }, [run.data, measurements.data, metric]);
  return (
    <QueryView
      what="The chart"
      data={data}
      error={run.error ?? measurements.error}
      retry={() => {
        void run.refetch();
        void measurements.refetch();
      }}
      skeleton={<Skeleton height={240} />}
    >
      {(shown) => (
        <LazyRunCharts
          run={shown.run}
          measurements={shown.items}
          leftOut={shown.leftOut}
          renderHeader={() =>
            shown.run.rollout !== null && (
              <MeasurementLogs
                rollout={shown.run.rollout}
                metric={metric}
                measurements={shown.items}
                runStartedAt={shown.run.startedAt}
              />
            )
          }
        />
      )}
    </QueryView>
  );
}
