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
            {isOpen ? "Newest measurements" : <Decided uid={run?.uid} />}
          </Title>
          {run !== undefined && <StateBadge shown={classifyAnalysis(run.phase)} size="sm" />}
        </Group>
        {run !== undefined && (
          <Anchor component={Link} href={runHref(run.uid)} size="sm">
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

/** Names the metrics that decided, once the run is loaded: "Decided by success-rate". */
function Decided({ uid }: { uid: string | undefined }) {
  return uid === undefined ? "What decided" : <DecidedByRun uid={uid} />;
}

function DecidedByRun({ uid }: { uid: string }) {
  const metrics = useRun(uid).data?.metrics ?? [];
  const names = metrics.filter(({ phase, dryRun }) => phase !== "Successful" && !dryRun).map(({ name }) => name);
  return names.length === 0 ? "What decided" : <>Decided by {formatList(names)}</>;
}
