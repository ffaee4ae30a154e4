"use client";

import { Anchor, Group, Stack, Text, Title } from "@mantine/core";
import Link from "next/link";
import { BlueGreenPanel } from "#components/rollouts/blue-green-panel.tsx";
import { ClusterEvents } from "#components/rollouts/cluster-events.tsx";
import { ReplicaSets } from "#components/rollouts/replica-sets.tsx";
import classes from "#components/rollouts/rollouts.module.css";
import { hasExperimentStep, StepExperiments } from "#components/rollouts/step-experiments.tsx";
import { Timeline } from "#components/rollouts/timeline.tsx";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { LiveRun } from "#components/ui/live-run.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { runHref } from "#lib/client/rollout-path.ts";
import type { CurrentRun, RolloutDetail } from "#lib/contract/rollout.ts";

const roles: Record<CurrentRun["role"], string> = {
  step: "Analysis of this step",
  background: "Background analysis",
  prePromotion: "Analysis before promotion",
  postPromotion: "Analysis after promotion",
};

export function LiveTab({ rollout }: { rollout: RolloutDetail }) {
  const hasExperiments = hasExperimentStep(rollout);
  return (
    <div className={classes.columns}>
      <Stack gap="md" miw={0}>
        <BlueGreenPanel rollout={rollout} />
        {rollout.currentRuns.map((run) => (
          <CurrentRunPanel key={`${run.role} ${run.name}`} run={run} />
        ))}
        {hasExperiments && <StepExperiments rollout={rollout} />}
        {rollout.currentRuns.length === 0 && !hasExperiments && (
          <section className={classes.panel}>
            <Title order={2}>Analysis</Title>
            <Text size="sm" c="dimmed" mt={4}>
              No analysis belongs to what happens now. Past runs are under Analysis.
            </Text>
          </section>
        )}
        <ReplicaSets rollout={rollout} />
        <ClusterEvents rollout={rollout} />
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
        <LiveRun uid={run.uid} />
      )}
    </section>
  );
}
