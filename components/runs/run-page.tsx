"use client";

import { Skeleton, Stack } from "@mantine/core";
import dynamic from "next/dynamic";
import { useMemo } from "react";
import { MetricStrip } from "#components/runs/metric-strip.tsx";
import { RunDecision, RunHeader } from "#components/runs/run-header.tsx";
import classes from "#components/runs/runs.module.css";
import { orderMetrics } from "#components/ui/order-metrics.ts";
import { PageSkeleton } from "#components/ui/page-skeleton.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { useChartMeasurements, useRun } from "#lib/client/run-queries.ts";
import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";

const RunEvents = dynamic(() => import("#components/runs/run-events.tsx").then((module) => module.RunEvents), {
  ssr: false,
});

const RunExport = dynamic(() => import("#components/runs/run-export.tsx").then((module) => module.RunExport), {
  ssr: false,
});

const RunMeasurements = dynamic(
  () => import("#components/runs/run-measurements.tsx").then((module) => module.RunMeasurements),
  { ssr: false, loading: () => <Skeleton height={240} /> },
);

export function RunPage({ uid }: { uid: string }) {
  const run = useRun(uid);
  return (
    <QueryView
      what="The analysis run"
      query={run}
      missing={{ title: "Analysis run not found", list: "analysis-runs" }}
      skeleton={<PageSkeleton blocks={[[28, "70%"], [20, "50%"], [34, "60%"], [320], [320]]} />}
    >
      {(detail) => <RunView run={detail} />}
    </QueryView>
  );
}

function RunView({ run: read }: { run: AnalysisRunDetail }) {
  const run = useMemo(() => ({ ...read, metrics: orderMetrics(read.metrics) }), [read]);
  const measurements = useChartMeasurements(run.uid);
  return (
    <Stack gap="md">
      <RunHeader run={run} />
      <RunDecision run={run} />
      <MetricStrip metrics={run.metrics} />
      <div className={classes.overview}>
        <RunEvents run={run} />
        <RunExport run={run} />
      </div>
      <QueryView what="The measurements" query={measurements} skeleton={<Skeleton height={240} />}>
        {(list) => <RunMeasurements run={run} list={list} />}
      </QueryView>
    </Stack>
  );
}
