"use client";

import { Anchor, DataList, Stack, Text, Title } from "@mantine/core";
import dynamic from "next/dynamic";
import Link from "next/link";
import { describeExperiment, notesOf } from "#components/experiments/describe-experiment.ts";
import classes from "#components/experiments/experiments.module.css";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { describePresence } from "#components/ui/common-columns.tsx";
import { ExperimentAnalyses, ExperimentTemplates } from "#components/ui/experiment-parts.tsx";
import { Fact } from "#components/ui/fact.tsx";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { PageSkeleton } from "#components/ui/page-skeleton.tsx";
import { usePageTitle } from "#components/ui/page-title.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { Section } from "#components/ui/section.tsx";
import { StateBadge, StateIcon } from "#components/ui/state-badge.tsx";
import { useExperiment } from "#lib/client/experiment-queries.ts";
import { rolloutHref, runHref } from "#lib/client/rollout-path.ts";
import type { ExperimentDetail } from "#lib/contract/experiment.ts";

const ExperimentActions = dynamic(
  () => import("#components/experiments/experiment-actions.tsx").then((module) => module.ExperimentActions),
  { ssr: false },
);

export function ExperimentPage({ uid }: { uid: string }) {
  const query = useExperiment(uid);
  return (
    <QueryView
      what="The experiment"
      query={query}
      missing={{ title: "Experiment not found", list: "experiments" }}
      skeleton={<PageSkeleton blocks={[[28, "60%"], [90, "40%"], [120], [300]]} />}
    >
      {(experiment) => <ExperimentView experiment={experiment} />}
    </QueryView>
  );
}

function ExperimentView({ experiment }: { experiment: ExperimentDetail }) {
  const notes = notesOf(experiment);
  usePageTitle(`${experiment.namespace}/${experiment.name}, experiment`);
  return (
    <Stack gap="md">
      <header>
        <div className={classes.verdict}>
          <span className={classes.sign}>
            <StateIcon state={classifyAnalysis(experiment.phase).state} size={22} />
          </span>
          <Title order={1} className={classes.title}>
            <HostileText text={describeExperiment(experiment)} />
          </Title>
        </div>
        {notes.length > 0 && (
          <ul className={classes.notes}>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
        <ExperimentActions experiment={experiment} />
        <ExperimentFacts experiment={experiment} />
      </header>
      <Section id="versions" title="Side by side" className={classes.panel}>
        <ExperimentTemplates
          templates={experiment.templates}
          {...(experiment.rollout === null ? {} : { rollout: experiment.rollout })}
        />
      </Section>
      <Section id="analyses" title="Analyses" className={classes.panel}>
        <ExperimentAnalyses experiment={experiment} />
      </Section>
      <OtherRuns experiment={experiment} />
    </Stack>
  );
}

/** Shows runs that it owns but that its analyses do not name now. */
function OtherRuns({ experiment: { analyses, analysisRuns } }: { experiment: ExperimentDetail }) {
  const named = new Set(analyses.map(({ run }) => run?.uid));
  const others = analysisRuns.filter(({ uid }) => !named.has(uid));
  if (others.length === 0) return null;
  return (
    <Section id="other-runs" title="Other runs" className={classes.panel}>
      <ul className={classes.runs}>
        {others.map(({ uid, name, phase, startedAt, firstSeenAt }) => (
          <li key={uid}>
            <StateBadge shown={classifyAnalysis(phase)} size="sm" variant="plain" />{" "}
            <Anchor component={Link} href={runHref(uid)} inherit>
              {name}
            </Anchor>{" "}
            <Text span size="xs" c="dimmed">
              <RelativeTime at={startedAt ?? firstSeenAt} />
            </Text>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function ExperimentFacts({ experiment }: { experiment: ExperimentDetail }) {
  const { name, cluster, namespace, presence, rollout, revision, createdAt, availableAt, completedAt } = experiment;
  const { duration, progressDeadlineSeconds } = experiment;
  return (
    <DataList className={classes.facts} gap="xs" labelWidth="8rem">
      <Fact label="Experiment">
        {namespace}/{name} in {cluster}, {describePresence(presence)}
      </Fact>
      <Fact label="Rollout">
        {rollout === null ? (
          "none"
        ) : (
          <>
            <Anchor component={Link} href={rolloutHref(rollout)} inherit>
              {rollout.namespace}/{rollout.name}
            </Anchor>
            {revision !== null && `, revision ${revision}`}
          </>
        )}
      </Fact>
      <Fact label="Time">
        created <RelativeTime at={createdAt} />
        {availableAt !== null && (
          <>
            , its pods available <RelativeTime at={availableAt} />
          </>
        )}
        {completedAt !== null && (
          <>
            , ended <RelativeTime at={completedAt} />
          </>
        )}
      </Fact>
      <Fact label="Lasts">{duration === null ? "until an analysis or a person ends it" : duration}</Fact>
      {progressDeadlineSeconds !== null && (
        <Fact label="Deadline">{progressDeadlineSeconds} s for its pods to become available</Fact>
      )}
    </DataList>
  );
}
