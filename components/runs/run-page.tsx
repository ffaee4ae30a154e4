"use client";

import { Skeleton, Stack } from "@mantine/core";
import { IconZoomQuestion } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { useMemo } from "react";
import { MetricStrip } from "#components/runs/metric-strip.tsx";
import { RunDecision, RunHeader } from "#components/runs/run-header.tsx";
import classes from "#components/runs/runs.module.css";
import { orderMetrics } from "#components/ui/order-metrics.ts";
import { NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { useChartMeasurements, useRun } from "#lib/client/run-queries.ts";
import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";
import { isGatehouseError } from "#packages/client/src/gatehouse-error.ts";

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
  if (run.data === undefined && isGatehouseError(run.error, "not_found")) {
    return (
      <NothingHere
        icon={<IconZoomQuestion size={40} stroke={1.2} />}
        isPage
        title="Analysis run not found"
        hint="Gatehouse never recorded it, or you may not see it."
      />
    );
  }
  return (
    <QueryView
      what="The analysis run"
      data={run.data}
      error={run.error}
      retry={() => void run.refetch()}
      skeleton={<RunSkeleton />}
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
      <div className={classes.overview}>
        <MetricStrip metrics={run.metrics} />
        <RunExport run={run} />
      </div>
      <RunEvents run={run} />
      <QueryView
        what="The measurements"
        data={measurements.data}
        error={measurements.error}
        retry={() => void measurements.refetch()}
        skeleton={<Skeleton height={240} />}
      >
        {(list) => <RunMeasurements run={run} list={list} />}
      </QueryView>
    </Stack>
  );
}

function RunSkeleton() {
  return (
    <Stack gap="md" aria-hidden="true">
      <Skeleton height={28} width="70%" />
      <Skeleton height={20} width="50%" />
      <Skeleton height={34} width="60%" />
      <Skeleton height={320} />
      <Skeleton height={320} />
    </Stack>
  );
}
