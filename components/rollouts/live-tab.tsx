"use client";

import { Anchor, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import Link from "next/link";
import { LazyRunCharts } from "#components/charts/lazy-run-charts.tsx";
import { ReplicaSets } from "#components/rollouts/replica-sets.tsx";
import classes from "#components/rollouts/rollouts.module.css";
import { Timeline } from "#components/rollouts/timeline.tsx";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { runHref } from "#lib/client/rollout-path.ts";
import { useChartMeasurements, useRun } from "#lib/client/run-queries.ts";
import type { CurrentRun, RolloutDetail } from "#lib/contract/rollout.ts";

const roles: Record<CurrentRun["role"], string> = {
  step: "Analysis of this step",
  background: "Background analysis",
  prePromotion: "Analysis before promotion",
  postPromotion: "Analysis after promotion",
};

export function LiveTab({ rollout }: { rollout: RolloutDetail }) {
  return (
    <div className={classes.columns}>
      <Stack gap="md" miw={0}>
        {rollout.currentRuns.length === 0 ? (
          <section className={classes.panel}>
            <Title order={2}>Analysis</Title>
            <Text size="sm" c="dimmed" mt={4}>
              No analysis belongs to what happens now. Past runs are under Analysis.
            </Text>
          </section>
        ) : (
          rollout.currentRuns.map((run) => <CurrentRunPanel key={`${run.role} ${run.name}`} run={run} />)
        )}
        <ReplicaSets replicaSets={rollout.replicaSets} />
      </Stack>
      <Timeline rollout={rollout} />
    </div>
  );
}

function CurrentRunPanel({ run }: { run: CurrentRun }) {
  return (
    <section className={classes.panel} aria-label={roles[run.role]}>
      <Group justify="space-between" gap="xs" mb="xs">
        <Group gap="xs">
          <Title order={2}>{roles[run.role]}</Title>
          <StateBadge shown={classifyAnalysis(run.phase)} size="sm" />
        </Group>
        {run.uid !== null && (
          <Anchor component={Link} href={runHref(run.uid)} size="sm" aria-label={`Every measurement of ${run.name}`}>
            Every measurement
          </Anchor>
        )}
      </Group>
      {run.uid === null ? (
        <Text size="sm" c="dimmed">
          {run.name} is named by the rollout, but has not been recorded yet. {run.message}
        </Text>
      ) : (
        <CurrentRunCharts uid={run.uid} />
      )}
    </section>
  );
}

function CurrentRunCharts({ uid }: { uid: string }) {
  const run = useRun(uid);
  const measurements = useChartMeasurements(uid);
  const data =
    run.data === undefined || measurements.data === undefined
      ? undefined
      : { run: run.data, items: measurements.data.items };
  return (
    <QueryView
      what="The analysis run"
      data={data}
      error={run.error ?? measurements.error}
      retry={() => {
        void run.refetch();
        void measurements.refetch();
      }}
      skeleton={<Skeleton height={240} />}
    >
      {({ run: detail, items }) => (
        <>
          <Text size="sm" mb="sm">
            <HostileText text={detail.verdict} />
          </Text>
          <LazyRunCharts
            run={detail}
            measurements={items}
            renderHeader={(metric) => (
              <Group gap="xs" mb={4}>
                <Title order={3}>{metric.name}</Title>
                <StateBadge shown={classifyAnalysis(metric.phase)} size="sm" variant="plain" />
                <Text size="xs" c="dimmed">
                  {metric.explanation}
                </Text>
              </Group>
            )}
          />
        </>
      )}
    </QueryView>
  );
}
