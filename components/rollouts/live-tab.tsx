"use client";

import { Skeleton, Stack } from "@mantine/core";
import dynamic from "next/dynamic";
import { BlueGreenPanel } from "#components/rollouts/blue-green-panel.tsx";
import { ReleaseRuns } from "#components/rollouts/release-runs.tsx";
import classes from "#components/rollouts/rollouts.module.css";
import { hasExperimentStep, StepExperiments } from "#components/rollouts/step-experiments.tsx";
import type { RolloutDetail } from "#lib/contract/rollout.ts";

// Only some controllers have gates.
const GatesPanel = dynamic(() => import("#components/rollouts/gates-panel.tsx").then((module) => module.GatesPanel), {
  ssr: false,
  loading: () => <Skeleton height={240} aria-hidden="true" />,
});

// Below the analyses, so they may load a moment later.
const ReplicaSets = dynamic(
  () => import("#components/rollouts/replica-sets.tsx").then((module) => module.ReplicaSets),
  {
    ssr: false,
    loading: () => <Skeleton height={160} aria-hidden="true" />,
  },
);
const ClusterEvents = dynamic(
  () => import("#components/rollouts/cluster-events.tsx").then((module) => module.ClusterEvents),
  { ssr: false, loading: () => <Skeleton height={160} aria-hidden="true" /> },
);

const Timeline = dynamic(() => import("#components/rollouts/timeline.tsx").then((module) => module.Timeline), {
  ssr: false,
  loading: () => <Skeleton height={320} aria-hidden="true" />,
});

export function LiveTab({ rollout }: { rollout: RolloutDetail }) {
  const hasExperiments = hasExperimentStep(rollout);
  return (
    <div className={classes.columns}>
      <Stack gap="md" miw={0}>
        <BlueGreenPanel rollout={rollout} />
        {rollout.gates !== null && <GatesPanel rollout={rollout} wiring={rollout.gates} />}
        <ReleaseRuns rollout={rollout} hasOther={hasExperiments} />
        {hasExperiments && <StepExperiments rollout={rollout} />}
        <ReplicaSets rollout={rollout} />
        <ClusterEvents rollout={rollout} />
      </Stack>
      <Timeline rollout={rollout} />
    </div>
  );
}
