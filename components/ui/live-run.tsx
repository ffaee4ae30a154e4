"use client";

import { Anchor, Group, Skeleton, Text, Title } from "@mantine/core";
import dynamic from "next/dynamic";
import Link from "next/link";
import { LazyRunCharts } from "#components/charts/lazy-charts.tsx";
import { classifyMetric } from "#components/ui/classify-state.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { findAddedExplanation, orderMetrics } from "#components/ui/order-metrics.ts";
import { QueryView } from "#components/ui/query-view.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { backtestHref } from "#lib/client/backtest-href.ts";
import { useEarlierSeries } from "#lib/client/run-page-queries.ts";
import { useChartMeasurements, useRun } from "#lib/client/run-queries.ts";
import type { AnalysisRunDetail, MeasurementList } from "#lib/contract/analysis-run.ts";

const MeasurementLogs = dynamic(
  () => import("#components/ui/measurement-logs.tsx").then((module) => module.MeasurementLogs),
  { ssr: false },
);

type LiveRunProps = {
  uid: string;
  /** The page says already why the run ended so. */
  isVerdictSaid?: boolean;
};

/** Shows a run inside another page: its verdict in words and a chart per metric, the worst first. */
export function LiveRun({ uid, isVerdictSaid = false }: LiveRunProps) {
  const earlier = useEarlierSeries(uid).data?.items;
  return (
    <LoadedRun uid={uid} what="The analysis run">
      {(run, { items, leftOut = [] }) => (
        <>
          {!isVerdictSaid && (
            <Text size="sm" mb="sm">
              <HostileText text={run.verdict} />
            </Text>
          )}
          <LazyRunCharts
            run={{ ...run, metrics: orderMetrics(run.metrics) }}
            measurements={items}
            leftOut={leftOut}
            {...(earlier === undefined ? {} : { earlier })}
            renderHeader={(metric) => (
              <>
                <Group gap="xs" mb={4}>
                  <Title order={3}>{metric.name}</Title>
                  <StateBadge shown={classifyMetric(metric)} size="sm" variant="plain" />
                  <Text size="xs" c="dimmed">
                    {findAddedExplanation(metric, run.verdict)}
                  </Text>
                  {run.rollout !== null && run.presence !== "derived" && (
                    <Anchor
                      component={Link}
                      href={backtestHref({ rollout: run.rollout.id, metric: metric.name })}
                      size="xs"
                      className="screen-only"
                      prefetch={false}
                      aria-label={`Try another limit for ${metric.name}`}
                    >
                      Try another limit
                    </Anchor>
                  )}
                </Group>
                {run.rollout !== null && (
                  <MeasurementLogs
                    rollout={run.rollout}
                    metric={metric.name}
                    measurements={items}
                    runStartedAt={run.startedAt}
                  />
                )}
              </>
            )}
          />
        </>
      )}
    </LoadedRun>
  );
}

type LoadedRunProps = {
  uid: string;
  /** Named if it cannot be loaded. */
  what: string;
  children: (run: AnalysisRunDetail, list: MeasurementList) => React.ReactNode;
};

/** Loads a run with the measurements for its charts. */
export function LoadedRun({ uid, what, children }: LoadedRunProps) {
  const run = useRun(uid);
  const measurements = useChartMeasurements(uid);
  const data =
    run.data === undefined || measurements.data === undefined ? undefined : { run: run.data, list: measurements.data };
  return (
    <QueryView
      what={what}
      query={{
        data,
        error: run.error ?? measurements.error,
        refetch: () => Promise.all([run.refetch(), measurements.refetch()]),
      }}
      skeleton={<Skeleton height={240} />}
    >
      {(loaded) => children(loaded.run, loaded.list)}
    </QueryView>
  );
}
