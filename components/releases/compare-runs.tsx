"use client";

import { Anchor, Group, Skeleton, Text, Title } from "@mantine/core";
import Link from "next/link";
import { ComparedCharts, groupMeasured } from "#components/charts/comparison.tsx";
import { ComparedValues } from "#components/releases/compared-values.tsx";
import classes from "#components/releases/releases.module.css";
import { nameCompared } from "#components/releases/summarise-release.ts";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { QueryView } from "#components/ui/query-view.tsx";
import { nameRunPlace } from "#components/ui/run-type-words.ts";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { runHref } from "#lib/client/rollout-path.ts";
import { useRunsWithMeasurements } from "#lib/client/run-page-queries.ts";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";

type Courses = readonly [ReleaseCourse, ReleaseCourse];

/** Shows the analyses of the same place in two releases: each metric of both on one chart that begins with the run. */
export function CompareRuns({ courses: [own, other] }: { courses: Courses }) {
  const [ownName, otherName] = nameCompared(own.release, other.release);
  const pairs = pairRuns(own.runs, other.runs);
  if (pairs.length === 0) {
    return (
      <section className={classes.panel} aria-label="Analyses of both">
        <Title order={2}>Analyses of both</Title>
        <Text size="sm" c="dimmed">
          No analysis measured either release.
        </Text>
      </section>
    );
  }
  return pairs.map(({ key, place, ...pair }) => (
    <Pair
      key={key}
      title={`Analysis: ${place}`}
      sides={[
        { name: ownName, run: pair.own },
        { name: otherName, run: pair.other },
      ]}
    />
  ));
}

function Pair({ title, sides }: { title: string; sides: readonly Side[] }) {
  return (
    <section className={classes.panel} aria-label={title}>
      <Group gap="md" mb="xs">
        <Title order={2}>{title}</Title>
        {/* The older release first, as in the columns of the table. */}
        {sides.toReversed().map(({ name, run }, index) => (
          <Text span size="sm" key={index === 0 ? "other" : "own"}>
            {run === undefined ? (
              `${name}: none`
            ) : (
              <>
                <Anchor component={Link} href={runHref(run.uid)} inherit>
                  {name}
                </Anchor>{" "}
                <StateBadge shown={classifyAnalysis(run.phase)} size="sm" variant="plain" />
              </>
            )}
          </Text>
        ))}
      </Group>
      <Metrics sides={sides.flatMap(({ name, run }) => (run === undefined ? [] : [{ name, uid: run.uid }]))} />
    </section>
  );
}

function Metrics({ sides }: { sides: readonly { name: string; uid: string }[] }) {
  const { data, error, retry } = useRunsWithMeasurements(sides.map(({ uid }) => uid));
  return (
    <QueryView
      what="The measurements"
      query={{ data, error, refetch: retry }}
      skeleton={<Skeleton height={240} aria-hidden="true" />}
    >
      {(runs) => {
        const analyses = runs.map((each, index) => ({
          ...each,
          analysis: { name: sides[index]?.name ?? "", measures: null },
        }));
        const metrics = groupMeasured(analyses, ([first]) => first);
        const [own, other] = sides;
        return (
          <>
            {own !== undefined && other !== undefined && (
              <ComparedValues metrics={metrics} names={{ own: own.name, other: other.name }} ownUid={own.uid} />
            )}
            {/* Each pair of runs begins with its own zoom. */}
            <ComparedCharts key={sides.map(({ uid }) => uid).join(" ")} metrics={metrics} />
          </>
        );
      }}
    </QueryView>
  );
}

type Run = ReleaseCourse["runs"][number];

type Side = { name: string; run: Run | undefined };

/** The analyses at the same place in two releases; undefined for a release without an analysis there. */
type RunPair = { key: string; place: string; own: Run | undefined; other: Run | undefined };

/** Pairs the newest analyses of two releases by type and step, in the order of the first one. `runs` are oldest first. */
export function pairRuns(own: readonly Run[], other: readonly Run[]): RunPair[] {
  const [owns, others] = [newestByPlace(own), newestByPlace(other)];
  return [...new Map([...owns, ...others])].map(([key, run]) => ({
    key,
    place: nameRunPlace(run),
    own: owns.get(key),
    other: others.get(key),
  }));
}

function newestByPlace(runs: readonly Run[]): Map<string, Run> {
  return new Map(runs.map((run) => [`${run.type} ${run.stepIndex ?? ""}`, run]));
}
