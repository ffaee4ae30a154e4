import { Anchor } from "@mantine/core";
import Link from "next/link";
import classes from "#components/runs/runs.module.css";
import { describePresence } from "#components/ui/common-columns.tsx";
import { formatExact } from "#components/ui/format-time.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { LinkList } from "#components/ui/link-list.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { nameRunPlace } from "#components/ui/run-type-words.ts";
import { formatSeconds } from "#lib/client/format-duration.ts";
import { experimentHref, rolloutHref } from "#lib/client/rollout-path.ts";
import { shortTemplateName, templateHref } from "#lib/client/template-path.ts";
import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";

/** Shows in one line the run's owner, its times, and its templates and arguments. */
export function RunFacts({ run }: { run: AnalysisRunDetail }) {
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
        <li className={classes.links}>
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

type Summaries = Pick<AnalysisRunDetail, "runSummary" | "dryRunSummary">;

const endWords = {
  successful: "successful",
  failed: "failed",
  inconclusive: "inconclusive",
  error: "in error",
} as const;

/** Describes how the metrics of a run ended as the controller counted them, such as "4 metrics: 3 successful, 1 failed". */
export function describeSummary({ runSummary, dryRunSummary }: Summaries): string[] {
  return [countEnds(runSummary, "metric"), countEnds(dryRunSummary, "dry run")].filter((text) => text !== undefined);
}

function countEnds(summary: Summaries["runSummary"], what: string): string | undefined {
  const count = summary?.count ?? 0;
  if (summary === null || count === 0) return undefined;
  const parts = Object.entries(endWords).flatMap(([key, word]) => {
    const number = summary[key] ?? 0;
    return number === 0 ? [] : [`${number} ${word}`];
  });
  return [`${count} ${what}${count === 1 ? "" : "s"}`, ...(parts.length === 0 ? [] : [parts.join(", ")])].join(": ");
}
