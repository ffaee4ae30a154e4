"use client";

import { Anchor, Group, Text, Title } from "@mantine/core";
import Link from "next/link";
import { nameWithin } from "#components/releases/course-words.ts";
import classes from "#components/releases/releases.module.css";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { LiveRun } from "#components/ui/live-run.tsx";
import { nameRunPlace } from "#components/ui/run-type-words.ts";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { experimentHref, runHref } from "#lib/client/rollout-path.ts";
import { useRun } from "#lib/client/run-queries.ts";
import type { AnalysisRunDetail, RunMetric } from "#lib/contract/analysis-run.ts";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";
import { describePluginStatus, findFailedPlugin } from "#lib/domain/delivery/step-words.ts";
import { capital, formatList } from "#lib/util/words.ts";

/** Shows what decided the release: a plugin, or an analysis with its charts. */
export function ReleaseDecision({ course: { runs, experiments, steps, release } }: { course: ReleaseCourse }) {
  const experiment = experiments.find((each) => each.runs.some(({ decided }) => decided));
  const run = [...runs, ...(experiment?.runs ?? [])].find(({ decided }) => decided);
  const hasRuns = runs.length > 0 || experiments.some((each) => each.runs.length > 0);
  const plugin = release.state === "aborted" ? findFailedPlugin(steps) : undefined;
  const isOpen = release.state === "progressing" || release.state === "paused";
  return (
    <section className={classes.panel} aria-labelledby="decided">
      <Group justify="space-between" gap="xs" mb="xs">
        <Group gap="xs">
          <Title order={2} id="decided">
            {isOpen ? (
              "Newest measurements"
            ) : run === undefined || plugin !== undefined ? (
              "Decision"
            ) : (
              <DecidedByRun uid={run.uid} />
            )}
          </Title>
          {run !== undefined && <StateBadge shown={classifyAnalysis(run.phase)} size="sm" />}
          {run?.contradiction === true && <strong>Verdict mismatch.</strong>}
        </Group>
        {run !== undefined && (
          <Anchor component={Link} href={runHref(run.uid)} size="sm" className="screen-only">
            Every measurement
          </Anchor>
        )}
      </Group>
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
          <Text size="sm" c="dimmed">
            Analysis:{" "}
            {experiment === undefined ? (
              nameRunPlace(run)
            ) : (
              <>
                {nameWithin(experiment.name, run)} of{" "}
                <Anchor component={Link} href={experimentHref(experiment.uid)} inherit>
                  experiment {experiment.name}
                </Anchor>
              </>
            )}
          </Text>
          <LiveRun uid={run.uid} />
        </>
      )}
    </section>
  );
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
  const names =
    run === undefined || run.phase === "Successful"
      ? []
      : run.metrics.filter(({ phase, dryRun }) => phase === run.phase && !dryRun).map(({ name }) => name);
  return names.length === 0 ? "this analysis" : formatList(names);
}
