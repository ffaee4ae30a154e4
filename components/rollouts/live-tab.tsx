"use client";

import { Button, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import dynamic from "next/dynamic";
import { useState } from "react";
import { prepareReleaseRuns, type ShownRun } from "#components/rollouts/prepare-release-runs.ts";
import classes from "#components/rollouts/rollouts.module.css";
import { MeasurementsLink, RunTimes } from "#components/rollouts/run-line.tsx";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { LiveRun } from "#components/ui/live-run.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import type { RolloutDetail } from "#lib/contract/rollout.ts";

// Only some controllers have gates.
const GatesPanel = dynamic(() => import("#components/rollouts/gates-panel.tsx").then((module) => module.GatesPanel), {
  ssr: false,
  loading: () => <Skeleton height={240} aria-hidden="true" />,
});

const BlueGreenPanel = dynamic(
  () => import("#components/rollouts/blue-green-panel.tsx").then((module) => module.BlueGreenPanel),
  { ssr: false, loading: () => <Skeleton height={200} aria-hidden="true" /> },
);
const StepExperiments = dynamic(
  () => import("#components/rollouts/step-experiments.tsx").then((module) => module.StepExperiments),
  { ssr: false, loading: () => <Skeleton height={240} aria-hidden="true" /> },
);

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
  const hasExperiments = rollout.steps.some(({ kind }) => kind === "experiment");
  return (
    <div className={classes.columns}>
      <Stack gap="md" miw={0}>
        {rollout.blueGreen !== null && <BlueGreenPanel rollout={rollout} />}
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

/** Shows the analyses of the version being rolled out, or of the one that failed; not the one that the top of the page charts. */
function ReleaseRuns({ rollout, hasOther }: { rollout: RolloutDetail; hasOther: boolean }) {
  const all = prepareReleaseRuns(rollout);
  if (all.length === 0 && !hasOther) {
    return (
      <section className={classes.panel}>
        <Title order={2}>Analysis</Title>
        <Text size="sm" c="dimmed" mt={4}>
          No analysis has measured this version. Runs of earlier versions are under Analysis.
        </Text>
      </section>
    );
  }
  return all.filter(({ isCharted }) => !isCharted).map((run) => <RunPanel key={run.uid ?? run.name} run={run} />);
}

function RunPanel({ run }: { run: ShownRun }) {
  const { uid, name, title, phase, message, isContradicted, isOpen } = run;
  const [choice, setChoice] = useState<boolean>();
  const shows = isOpen || choice === true;
  return (
    <section className={classes.panel} aria-label={title}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Title order={2}>{title}</Title>
          <StateBadge shown={classifyAnalysis(phase)} size="sm" />
          <Text span size="sm" c="dimmed">
            <RunTimes run={run} />
          </Text>
        </Group>
        {uid !== undefined && (
          <Group gap="sm">
            {!isOpen && (
              <Button size="compact-xs" variant="subtle" aria-expanded={shows} onClick={() => setChoice(!shows)}>
                {shows ? "Hide charts" : "Show charts"}
              </Button>
            )}
            <MeasurementsLink run={run} />
          </Group>
        )}
      </Group>
      {isContradicted && (
        <Text size="sm" fw={600} mt="xs">
          Verdict mismatch: reported {phase}, but its measurements do not give this result.
        </Text>
      )}
      {uid === undefined ? (
        <Text size="sm" c="dimmed" mt="xs">
          {name} is named by the rollout but not recorded yet. <HostileText text={message} />
        </Text>
      ) : (
        shows && (
          <div className={classes.run}>
            <LiveRun uid={uid} />
          </div>
        )
      )}
    </section>
  );
}
