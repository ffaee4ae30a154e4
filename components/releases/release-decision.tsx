"use client";

import { Anchor, Group, Text, Title } from "@mantine/core";
import Link from "next/link";
import { nameWithin } from "#components/releases/course-words.ts";
import classes from "#components/releases/releases.module.css";
import { classifyAnalysis, verdictMismatch } from "#components/ui/classify-state.ts";
import { LiveRun } from "#components/ui/live-run.tsx";
import { nameRunPlace } from "#components/ui/run-type-words.ts";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { wordReleaseMessage } from "#lib/client/record-names.ts";
import { auditHref, experimentHref, runHref } from "#lib/client/rollout-path.ts";
import { useRun } from "#lib/client/run-queries.ts";
import type { AnalysisRunDetail, RunMetric } from "#lib/contract/analysis-run.ts";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";
import type { ActionName, ReleaseAct, ReleaseRun } from "#lib/contract/rollout.ts";
import { actionNames, backActions, entryOf } from "#lib/domain/acting/action-catalogue.ts";
import { describePluginStatus, findFailedPlugin } from "#lib/domain/delivery/step-words.ts";
import { capital, formatList } from "#lib/util/words.ts";

/** Shows who or what decided the release: a person, a plugin, or an analysis; an analysis with its charts. */
export function ReleaseDecision({ course }: { course: ReleaseCourse }) {
  const { runs, experiments, steps, release } = course;
  const experiment = experiments.find((each) => each.runs.some(({ decided }) => decided));
  const run = [...runs, ...(experiment?.runs ?? [])].find(({ decided }) => decided);
  const hasRuns = runs.length > 0 || experiments.some((each) => each.runs.length > 0);
  const plugin = release.state === "aborted" ? findFailedPlugin(steps) : undefined;
  const isOpen = release.state === "progressing" || release.state === "paused";
  const act = plugin === undefined ? findDecidingAct(course, run) : undefined;
  return (
    <section className={classes.panel} aria-labelledby="decided">
      <Group justify="space-between" gap="xs" mb="xs">
        <Group gap="xs">
          <Title order={2} id="decided">
            {isOpen ? (
              "Newest measurements"
            ) : act !== undefined ? (
              <bdi>{nameAct(act)}</bdi>
            ) : run === undefined || plugin !== undefined ? (
              "Decision"
            ) : (
              <DecidedByRun uid={run.uid} />
            )}
          </Title>
          {act === undefined && run !== undefined && <RunVerdict run={run} />}
        </Group>
        {run !== undefined && (
          <Anchor component={Link} href={runHref(run.uid)} size="sm" className="screen-only">
            Every measurement
          </Anchor>
        )}
      </Group>
      {act !== undefined && <ActReason act={act} />}
      {plugin !== undefined ? (
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {capital(describePluginStatus(plugin))}
        </Text>
      ) : run === undefined ? (
        <Text size="sm" c="dimmed">
          {hasRuns ? "No analysis of this release has ended." : "No analysis measured this release."}
        </Text>
      ) : (
        <>
          <Group gap="xs">
            <Text size="sm" c="dimmed">
              {act === undefined && "Analysis: "}
              {experiment === undefined ? (
                act === undefined ? (
                  nameRunPlace(run)
                ) : (
                  `${capital(nameRunPlace(run))} analysis:`
                )
              ) : (
                <>
                  {nameWithin(experiment.name, run)} of{" "}
                  <Anchor component={Link} href={experimentHref(experiment.uid)} inherit>
                    experiment {experiment.name}
                  </Anchor>
                </>
              )}
            </Text>
            {act !== undefined && <RunVerdict run={run} />}
          </Group>
          <DecisionCharts uid={run.uid} message={act === undefined ? wordReleaseMessage(release) : ""} />
        </>
      )}
    </section>
  );
}

function RunVerdict({ run: { phase, contradiction } }: { run: ReleaseRun }) {
  return (
    <>
      <StateBadge shown={classifyAnalysis(phase)} size="sm" />
      {contradiction && <StateBadge shown={verdictMismatch} size="sm" />}
    </>
  );
}

function ActReason({ act: { seq, reason } }: { act: ReleaseAct }) {
  return (
    <Text size="sm" mb="xs">
      {reason !== null && reason !== "" && (
        <>
          <bdi>
            <em>{reason}</em>
          </bdi>{" "}
        </>
      )}
      <Anchor component={Link} href={auditHref(seq)} inherit prefetch={false}>
        entry {seq}
      </Anchor>
    </Text>
  );
}

type Decided = Pick<ReleaseCourse, "acts"> & { release: Pick<ReleaseCourse["release"], "state"> };
type DecidingRun = Pick<ReleaseRun, "type" | "phase" | "startedAt" | "completedAt">;

/**
 * Finds the act that ended the release: the last that took a promoted one further unless an analysis decided after it,
 * or that took an aborted one back unless an analysis had failed. Undefined if no act did, and for a release that has
 * not ended.
 */
export function findDecidingAct({ release, acts }: Decided, run: DecidingRun | undefined): ReleaseAct | undefined {
  const hasFailed = run?.phase === "Failed" || run?.phase === "Error";
  const decides =
    release.state === "promoted" ? takesFurther : release.state === "aborted" && !hasFailed ? takesBack : undefined;
  if (decides === undefined) return undefined;
  const act = acts.findLast(
    ({ action, source, outcome }) =>
      source !== "system" && (outcome === null || outcome === "applied") && decides(action),
  );
  return act === undefined || (decides === takesFurther && isBeforeVerdict(act, run)) ? undefined : act;
}

/** Skips end the runs that they pass. */
const endingActs: readonly string[] = ["promote-full", "skip-step", "skip-all", "skip-analysis"] satisfies ActionName[];

/** Background analysis measures until the end, whoever takes the release there: its verdict is after no act. */
function isBeforeVerdict({ action, time }: ReleaseAct, run: DecidingRun | undefined): boolean {
  if (run === undefined || run.type === "Background") return false;
  const since = endingActs.includes(action) ? run.startedAt : run.completedAt;
  return since !== null && Date.parse(time) < Date.parse(since);
}

function takesFurther(action: string): boolean {
  const entry = actionNames.includes(action as ActionName) ? entryOf(action as ActionName) : undefined;
  if (action === "measure-again") return false;
  return action === "promote-full" || entry?.takesFurther === true;
}

function takesBack(action: string): boolean {
  return backActions.includes(action as ActionName);
}

/** Says who decided: "Continued by admin at 50 %". An act whose words have another order keeps it. */
export function nameAct({ who, did }: Pick<ReleaseAct, "who" | "did">): string {
  const [, done, place = ""] = /^([^ ]+(?: [^ ]+){0,7}?)(?<! of) it( at \d{1,3} %)?$/.exec(did.slice(0, 200)) ?? [];
  return done === undefined ? `${who} ${did}` : `${capital(done)} by ${who}${place}`;
}

function DecisionCharts({ uid, message }: { uid: string; message: string }) {
  return <LiveRun uid={uid} isVerdictSaid={saysDecision(message, useRun(uid).data)} />;
}

/** Returns whether the reason of the release, which is at the top of the page, names each metric that decided the run. */
export function saysDecision(message: string, run: Deciding | undefined): boolean {
  const names = run === undefined ? [] : findDeciding(run);
  const words = message.split(/[^\w.-]+/);
  return names.length > 0 && names.every((name) => words.includes(name));
}

function DecidedByRun({ uid }: { uid: string }) {
  return <>Decided by {nameDeciding(useRun(uid).data)}</>;
}

type Deciding = Pick<AnalysisRunDetail, "phase"> & { metrics: readonly Pick<RunMetric, "name" | "phase" | "dryRun">[] };

/**
 * Names the metrics that decided a run: those with its result, such as the Failed ones of a Failed run. A run that
 * passed, that none of its metrics ended, or that is not loaded yet is "this analysis".
 */
export function nameDeciding(run: Deciding | undefined): string {
  const names = run === undefined ? [] : findDeciding(run);
  return names.length === 0 ? "this analysis" : formatList(names);
}

function findDeciding(run: Deciding): string[] {
  if (run.phase === "Successful") return [];
  return run.metrics.filter(({ phase, dryRun }) => phase === run.phase && !dryRun).map(({ name }) => name);
}
