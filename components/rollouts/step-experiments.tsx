"use client";

import { Anchor, Group, Skeleton, Text, Title } from "@mantine/core";
import Link from "next/link";
import classes from "#components/rollouts/rollouts.module.css";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { ExperimentAnalyses, ExperimentTemplates } from "#components/ui/experiment-parts.tsx";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { ErrorNotice, QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { useExperiment, useExperiments } from "#lib/client/experiment-queries.ts";
import { experimentHref } from "#lib/client/rollout-path.ts";
import type { ExperimentSummary } from "#lib/contract/experiment.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";

/** Shows the experiments that decide what happens now, with their measurements. Only for rollouts with such a step. */
export function StepExperiments({ rollout }: { rollout: RolloutDetail }) {
  const { cluster, namespace, name } = rollout;
  const list = useExperiments({ cluster, namespace, rollout: name }, { pageSize: 20 });
  if (list.items === undefined && list.error !== null)
    return <ErrorNotice error={list.error} what="The experiments" onRetry={list.retry} />;
  const shown = selectExperiments(rollout, list.items ?? []);
  const query = new URLSearchParams({ cluster, namespace, rollout: name });
  return (
    <>
      {shown.map((experiment) => (
        <ExperimentPanel
          key={experiment.uid}
          experiment={experiment}
          isNamed={experiment.name === rollout.currentExperiment}
        />
      ))}
      <Text size="sm">
        <Anchor component={Link} href={`/experiments?${query}`} inherit>
          All experiments of this rollout
        </Anchor>
      </Text>
    </>
  );
}

function ExperimentPanel({ experiment, isNamed }: { experiment: ExperimentSummary; isNamed: boolean }) {
  const { uid, name, phase, message, createdAt } = experiment;
  return (
    <section className={classes.panel} aria-label={`Experiment ${name}`}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Title order={2}>Experiment</Title>
          <StateBadge shown={classifyAnalysis(phase)} size="sm" />
        </Group>
        <Anchor component={Link} href={experimentHref(uid)} size="sm" aria-label={`Open experiment ${name}`}>
          Open
        </Anchor>
      </Group>
      <Text size="sm" c="dimmed" className={classes.wrap}>
        {name}, started <RelativeTime at={createdAt} />
        {isNamed && ", current in the rollout"}
      </Text>
      {message !== "" && (
        <Text size="sm" mt={4}>
          <HostileText text={message} />
        </Text>
      )}
      {phase !== "Successful" && <ExperimentParts uid={uid} />}
    </section>
  );
}

function ExperimentParts({ uid }: { uid: string }) {
  const query = useExperiment(uid);
  return (
    <QueryView what="The experiment" query={query} skeleton={<Skeleton height={240} mt="xs" />}>
      {(experiment) => (
        <>
          <ExperimentTemplates
            templates={experiment.templates}
            {...(experiment.rollout === null ? {} : { rollout: experiment.rollout })}
          />
          <ExperimentAnalyses experiment={experiment} />
        </>
      )}
    </QueryView>
  );
}

/** The list of experiments has the rest. */
const mostShown = 3;

const ranks: Partial<Record<ExperimentSummary["phase"], number>> = {
  Inconclusive: 0,
  Failed: 1,
  Error: 1,
  Successful: 3,
};

/**
 * Selects the experiments that matter now: those of this revision while the current step is an experiment, those that
 * still run, and, after an abort, those that did not succeed. One that needs a person comes first, since a controller
 * may start another at the same time.
 */
export function selectExperiments(
  rollout: Pick<RolloutDetail, "steps" | "revisionKey" | "aborted">,
  experiments: readonly ExperimentSummary[],
): ExperimentSummary[] {
  const isAtExperiment = rollout.steps.some(({ kind, state }) => kind === "experiment" && state === "current");
  return experiments
    .filter(({ podHash, phase, completedAt, presence }) => {
      if (podHash !== rollout.revisionKey) return false;
      if (isAtExperiment) return true;
      if (rollout.aborted) return phase !== "Successful";
      return presence === "live" && completedAt === null && (phase === "Running" || phase === "Pending");
    })
    .toSorted(
      (one, other) =>
        rankOf(one) - rankOf(other) || (one.createdAt < other.createdAt ? 1 : one.createdAt > other.createdAt ? -1 : 0),
    )
    .slice(0, mostShown);
}

function rankOf({ phase }: ExperimentSummary): number {
  return ranks[phase] ?? 2;
}
