"use client";

import { Anchor, DataList, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconZoomQuestion } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import classes from "#components/runs/runs.module.css";
import { VerdictCheckLine } from "#components/runs/verdict-check-line.tsx";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { Fact } from "#components/ui/fact.tsx";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { LinkList } from "#components/ui/link-list.tsx";
import { NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { describePresence } from "#components/ui/run-table.tsx";
import { nameRunPlace } from "#components/ui/run-type-words.ts";
import { StateIcon } from "#components/ui/state-icon.tsx";
import { isApiError } from "#lib/client/api-error.ts";

import { experimentHref, rolloutHref } from "#lib/client/rollout-path.ts";
import { useChartMeasurements, useRun } from "#lib/client/run-queries.ts";
import { shortTemplateName, templateHref } from "#lib/client/template-path.ts";
import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";

const RunActions = dynamic(() => import("#components/runs/run-actions.tsx").then((module) => module.RunActions), {
  ssr: false,
});

const FindingList = dynamic(() => import("#components/ui/finding-list.tsx").then((module) => module.FindingList), {
  ssr: false,
});

const RunMeasurements = dynamic(
  () => import("#components/runs/run-measurements.tsx").then((module) => module.RunMeasurements),
  { ssr: false, loading: () => <Skeleton height={240} /> },
);

export function RunPage({ uid }: { uid: string }) {
  const run = useRun(uid);
  if (run.data === undefined && isApiError(run.error) && run.error.code === "not_found") {
    return (
      <NothingHere
        icon={<IconZoomQuestion size={40} stroke={1.2} />}
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

function RunView({ run }: { run: AnalysisRunDetail }) {
  const measurements = useChartMeasurements(run.uid);
  return (
    <Stack gap="lg">
      <header>
        <div className={classes.verdict}>
          <span className={classes.sign}>
            <StateIcon state={classifyAnalysis(run.phase).state} size={22} />
          </span>
          <Title order={1} className={classes.verdictText}>
            <HostileText text={run.verdict} />
          </Title>
        </div>
        <VerdictCheckLine run={run} />
        <FindingList label="Findings about this run" filters={{ run: run.uid }} />
        <RunNotes run={run} />
        <RunActions run={run} />
        <RunFacts run={run} />
      </header>
      <QueryView
        what="The measurements"
        data={measurements.data?.items}
        error={measurements.error}
        retry={() => void measurements.refetch()}
        skeleton={<Skeleton height={240} />}
      >
        {(items) => <RunMeasurements run={run} measurements={items} />}
      </QueryView>
    </Stack>
  );
}

/** Shows what weakens the verdict. */
function RunNotes({ run }: { run: AnalysisRunDetail }) {
  const notes = [
    run.terminated && run.verdictCheck?.state !== "ended-early" && "The run was terminated before its rules ended it.",
    run.presence === "deleted" && "The cluster has deleted this run. Everything below was recorded earlier.",
    run.presence === "unobserved" &&
      "The run ended while Gatehouse was not watching. Anything after the last record is unknown.",
    run.presence === "derived" &&
      "The controller keeps no record of its checks: this run was derived from its messages. Checks that passed have no value.",
    run.measurementsExpired && "Its measurements are past their retention period and were deleted.",
    run.lostMeasurements === 1 && "1 measurement was never observed; the chart shows a gap.",
    run.lostMeasurements > 1 && `${run.lostMeasurements} measurements were never observed; the chart shows gaps.`,
  ].filter((note) => note !== false);
  if (notes.length === 0) return null;
  return (
    <ul className={classes.notes}>
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

function RunFacts({ run }: { run: AnalysisRunDetail }) {
  const { rollout, name, type, stepIndex, revision, startedAt, completedAt, presence, args, start } = run;
  const { experiment, templates, links } = run;
  return (
    <DataList className={classes.facts} gap="xs" labelWidth="7rem">
      <Fact label="Run">
        {run.namespace}/{name} in {run.cluster}, {describePresence(presence)}
      </Fact>
      {rollout !== null && (
        <Fact label="Rollout">
          <Anchor component={Link} href={rolloutHref(rollout)} inherit>
            {rollout.namespace}/{rollout.name}
          </Anchor>
          {revision !== null && `, revision ${revision}`}
          {`, ${nameRunPlace({ type, stepIndex })}`}
        </Fact>
      )}
      {experiment !== null && (
        <Fact label="Experiment">
          <Anchor component={Link} href={experimentHref(experiment.uid)} inherit>
            {experiment.name}
          </Anchor>
        </Fact>
      )}
      {templates.length > 0 && (
        <Fact label={templates.length === 1 ? "Template" : "Templates"}>
          {templates.map(({ id, version, current }) => (
            <Text key={`${id} ${version}`} size="sm">
              <Anchor component={Link} href={templateHref(id, version)} inherit>
                {shortTemplateName(id)}, version {version}
              </Anchor>
              {current ? " (the current one)" : " (not the current one)"}
            </Text>
          ))}
        </Fact>
      )}
      {startedAt !== null && (
        <Fact label="Time">
          started <RelativeTime at={startedAt} />
          {completedAt !== null && (
            <>
              , ended <RelativeTime at={completedAt} />
            </>
          )}
        </Fact>
      )}
      {start !== null && <Fact label="Begins">{start}</Fact>}
      {links.length > 0 && (
        <Fact label="Links">
          <span className={classes.links}>
            <LinkList links={links} about={name} />
          </span>
        </Fact>
      )}
      {args.length > 0 && (
        <Fact label="Arguments">
          {args.map(({ name: arg, value, secret }) => (
            <Text key={arg} size="sm">
              <code>{arg}</code> = {secret ? "(secret)" : <code>{value ?? "unknown"}</code>}
            </Text>
          ))}
        </Fact>
      )}
    </DataList>
  );
}

function RunSkeleton() {
  return (
    <Stack gap="md" aria-hidden="true">
      <Skeleton height={28} width="70%" />
      <Skeleton height={60} width="40%" />
      <Skeleton height={58} />
      <Skeleton height={210} />
      <Skeleton height={210} />
    </Stack>
  );
}
