"use client";

import { Group, Text, Title } from "@mantine/core";
import dynamic from "next/dynamic";
import { LazyRunCharts } from "#components/charts/lazy-charts.tsx";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { LoadedRun } from "#components/ui/loaded-run.tsx";
import { orderMetrics } from "#components/ui/order-metrics.ts";
import { StateBadge } from "#components/ui/state-badge.tsx";

const MeasurementLogs = dynamic(
  () => import("#components/ui/measurement-logs.tsx").then((module) => module.MeasurementLogs),
  { ssr: false },
);

/** Shows a run in progress inside another page: its verdict in words and a chart per metric, the worst first. */
export function LiveRun({ uid }: { uid: string }) {
  return (
    <LoadedRun uid={uid} what="The analysis run">
      {(run, { items, leftOut = [] }) => (
        <>
          <Text size="sm" mb="sm">
            <HostileText text={run.verdict} />
          </Text>
          <LazyRunCharts
            run={{ ...run, metrics: orderMetrics(run.metrics) }}
            measurements={items}
            leftOut={leftOut}
            renderHeader={(metric) => (
              <>
                <Group gap="xs" mb={4}>
                  <Title order={3}>{metric.name}</Title>
                  <StateBadge shown={classifyAnalysis(metric.phase)} size="sm" variant="plain" />
                  <Text size="xs" c="dimmed">
                    {metric.explanation}
                  </Text>
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
