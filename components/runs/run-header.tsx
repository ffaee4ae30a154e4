"use client";

import { Anchor, Skeleton, Title } from "@mantine/core";
import dynamic from "next/dynamic";
import Link from "next/link";
import classes from "#components/runs/runs.module.css";
import { VerdictCheckLine } from "#components/runs/verdict-check-line.tsx";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { describePresence } from "#components/ui/common-columns.tsx";
import { formatExact } from "#components/ui/format-time.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { IconAlertTriangle } from "#components/ui/icons.tsx";
import { LinkList } from "#components/ui/link-list.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { nameRunPlace } from "#components/ui/run-type-words.ts";
import { StateIcon } from "#components/ui/state-badge.tsx";
import { formatSeconds } from "#lib/client/format-duration.ts";
import { experimentHref, rolloutHref } from "#lib/client/rollout-path.ts";
import { shortTemplateName, templateHref } from "#lib/client/template-path.ts";
import type { AnalysisRunDetail, RunMetric } from "#lib/contract/analysis-run.ts";
import { formatCountOf } from "#lib/util/words.ts";

const RunActions = dynamic(() => import("#components/runs/run-actions.tsx").then((module) => module.RunActions), {
  ssr: false,
  loading: () => <Skeleton height={30} width="40%" />,
});

const FindingList = dynamic(() => import("#components/ui/finding-list.tsx").then((module) => module.FindingList), {
  ssr: false,
});

/** Shows the verdict, only here on the page, with its check, the run's facts, the reasons to doubt it, and findings. */
export function RunHeader({ run }: { run: AnalysisRunDetail }) {
  const isContradicted = run.verdictCheck?.state === "contradicts";
  const filters = { run: run.uid };
  return (
    <header className={classes.header}>
      <div className={classes.verdict}>
        <span className={classes.sign}>
          {isContradicted ? (
            <IconAlertTriangle size={24} className={classes.warned} aria-label="Contradicted" role="img" />
          ) : (
            <StateIcon state={classifyAnalysis(run.phase).state} size={24} />
          )}
        </span>
        <Title order={1} className={classes.verdictText}>
          <HostileText text={run.verdict} />
        </Title>
        <VerdictCheckLine run={run}>
          {isContradicted && <FindingList label="Finding about the verdict" filters={filters} keeps={isMismatch} />}
        </VerdictCheckLine>
      </div>
      <RunFacts run={run} />
      <RunNotes run={run} />
      <FindingList
        label="Findings about this run"
        filters={filters}
        keeps={(finding) => !(isContradicted && isMismatch(finding))}
      />
    </header>
  );
}

/** The finding says the same as the title. */
function isMismatch({ rule }: { rule: string }): boolean {
  return rule === "verdict-contradicts";
}

/** Not in the header: the bar stays in view while the metrics are read. */
export function RunDecision({ run }: { run: AnalysisRunDetail }) {
  return <RunActions run={run} />;
}

/** Shows the reasons to doubt the verdict. */
function RunNotes({ run }: { run: AnalysisRunDetail }) {
  const notes = [
    run.start,
    run.terminated && run.verdictCheck?.state !== "ended-early" && "The run was terminated before its rules ended it.",
    run.presence === "deleted" && "The cluster has deleted this run. Everything below was recorded earlier.",
    run.presence === "unobserved" &&
      "The run ended while Gatehouse was not watching. Anything after the last record is unknown.",
    run.presence === "derived" &&
      "The controller keeps no record of its checks: this run was derived from its messages. Checks that passed have no value.",
    run.measurementsExpired && "Its measurements were deleted by retention.",
    run.lostMeasurements === 1 && "1 measurement was never observed; the chart shows a gap.",
    run.lostMeasurements > 1 && `${run.lostMeasurements} measurements were never observed; the chart shows gaps.`,
  ].filter((note) => note !== false && note !== null);
  if (notes.length === 0) return null;
  return (
    <ul className={classes.notes}>
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

/** Shows in one line the run's owner, its times, and its templates and arguments. */
function RunFacts({ run }: { run: AnalysisRunDetail }) {
  const { rollout, experiment, createdBy, type, stepIndex, revision, presence, args, templates, links, cluster } = run;
  return (
    <ul className={classes.facts} aria-label="About this run">
      {rollout !== null && (
        <li>
          <Anchor component={Link} href={rolloutHref(rollout)} inherit className={classes.name}>
            {rollout.namespace}/{rollout.name}
          </Anchor>
        </li>
      )}
      {revision !== null && <li>revision {revision}</li>}
      {experiment !== null && (
        <li>
          experiment{" "}
          <Anchor component={Link} href={experimentHref(experiment.uid)} inherit>
            {experiment.name}
          </Anchor>
        </li>
      )}
      {createdBy !== null && (
        <li>
          created by <HostileText text={`${createdBy.kind} ${createdBy.name}`} />
        </li>
      )}
      {type !== "Experiment" && createdBy === null && <li>{nameRunPlace({ type, stepIndex })}</li>}
      <Time run={run} />
      {describeSummary(run).map((words) => (
        <li key={words}>{words}</li>
      ))}
      {templates.map(({ id, version, current }) => (
        <li key={`${id} ${version}`}>
          <Anchor component={Link} href={templateHref(id, version)} inherit>
            {shortTemplateName(id)} v{version}
          </Anchor>
          {!current && " (changed since)"}
        </li>
      ))}
      {args.map(({ name, value, secret }) => (
        <li key={name}>
          <code className={classes.condition}>
            {name}={secret ? "(secret)" : <HostileText text={value ?? "unknown"} />}
          </code>
        </li>
      ))}
      <li>
        <HostileText text={run.name} /> in {cluster}, {describePresence(presence)}
      </li>
      {links.length > 0 && (
        <li className={`${classes.links} screen-only`}>
          <LinkList links={links} about={run.name} />
        </li>
      )}
    </ul>
  );
}

function Time({ run: { startedAt, completedAt, durationSeconds } }: { run: AnalysisRunDetail }) {
  if (startedAt === null) return <li>not started yet</li>;
  return (
    <li>
      <time dateTime={startedAt}>{formatExact(startedAt)}</time>
      {durationSeconds !== null && `, took ${formatSeconds(durationSeconds)}`}
      {completedAt === null && (
        <>
          , running <RelativeTime at={startedAt} form="for" />
        </>
      )}
    </li>
  );
}

type Summaries = Pick<AnalysisRunDetail, "runSummary" | "dryRunSummary"> & {
  metrics: readonly Pick<RunMetric, "replayedPhase" | "dryRun">[];
};

const endWords = {
  successful: "successful",
  failed: "failed",
  inconclusive: "inconclusive",
  error: "in error",
} as const;

/**
 * Describes how the metrics of a run ended as the controller counted them, such as "4 metrics: 3 successful, 1 failed".
 * Only "4 metrics" if measurements contradict that: the title says so, and each metric shows both results.
 */
export function describeSummary({ runSummary, dryRunSummary, metrics }: Summaries): string[] {
  const [own, dry] = [metrics.filter(({ dryRun }) => !dryRun), metrics.filter(({ dryRun }) => dryRun)];
  return [countEnds(runSummary, "metric", own), countEnds(dryRunSummary, "dry run", dry)].filter(
    (text) => text !== undefined,
  );
}

function countEnds(summary: Summaries["runSummary"], what: string, metrics: Summaries["metrics"]): string | undefined {
  const count = summary?.count ?? 0;
  if (summary === null || count === 0) return undefined;
  const counted = formatCountOf(count, what);
  const ends = Object.entries(endWords).flatMap(([key, word]) => {
    const ended = summary[key] ?? 0;
    return ended === 0 ? [] : [`${ended} ${word}`];
  });
  if (ends.length === 0 || metrics.some(({ replayedPhase }) => replayedPhase !== null)) return counted;
  return `${counted}: ${ends.join(", ")}`;
}
