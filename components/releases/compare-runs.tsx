"use client";

import { Anchor, Group, Skeleton, Text, Title } from "@mantine/core";
import Link from "next/link";
import { describeLeftOut } from "#components/charts/describe-left-out.ts";
import { LazySeriesChart } from "#components/charts/lazy-charts.tsx";
import classes from "#components/releases/releases.module.css";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { nameRunPlace } from "#components/ui/run-type-words.ts";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { formatDuration } from "#lib/client/format-duration.ts";
import { runHref } from "#lib/client/rollout-path.ts";
import { useChartMeasurements, useRun } from "#lib/client/run-queries.ts";
import type { AnalysisRunDetail, Measurement, MeasurementList } from "#lib/contract/analysis-run.ts";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";

type CompareRunsProps = { courses: readonly [ReleaseCourse, ReleaseCourse]; names: readonly [string, string] };

/** Shows the analyses of the same place side by side, each metric of both on one axis that begins with the run. */
export function CompareRuns({ courses: [one, other], names }: CompareRunsProps) {
  const pairs = pairRuns(one.runs, other.runs);
  if (pairs.length === 0) {
    return (
      <section className={classes.panel} aria-label="Analyses">
        <Title order={2}>Analyses</Title>
        <Text size="sm" c="dimmed">
          No analysis measured either release.
        </Text>
      </section>
    );
  }
  return pairs.map((pair) => <Pair key={pair.key} pair={pair} names={names} />);
}

function titleOf({ one, other }: RunPair): string {
  const run = one ?? other;
  return run === undefined ? "Analysis" : `Analysis: ${nameRunPlace(run)}`;
}

function Pair({ pair, names }: { pair: RunPair; names: CompareRunsProps["names"] }) {
  const title = titleOf(pair);
  const sides = [
    { name: names[0], run: pair.one },
    { name: names[1], run: pair.other },
  ];
  return (
    <section className={classes.panel} aria-label={title}>
      <Group gap="md" mb="xs">
        <Title order={2}>{title}</Title>
        {sides.map(({ name, run }) => (
          <Text span size="sm" key={name}>
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
      <Metrics sides={sides} />
    </section>
  );
}

type Side = { name: string; run: RunPair["one"] };
type Loaded = { name: string; run: AnalysisRunDetail; list: MeasurementList };

function Metrics({ sides }: { sides: readonly Side[] }) {
  const [one, other] = [useSide(sides[0]), useSide(sides[1])];
  const waiting = [one, other].filter(({ isWanted }) => isWanted);
  const isLoaded = waiting.every(({ loaded }) => loaded !== undefined);
  return (
    <QueryView
      what="The measurements"
      query={{
        data: isLoaded ? waiting.flatMap(({ loaded }) => loaded ?? []) : undefined,
        error: one.error ?? other.error,
        refetch: () => {
          one.retry();
          other.retry();
        },
      }}
      skeleton={<Skeleton height={150} />}
    >
      {(loaded) => listMetrics(loaded).map((metric) => <Metric key={metric} metric={metric} loaded={loaded} />)}
    </QueryView>
  );
}

function useSide(side: Side | undefined) {
  const uid = side?.run?.uid ?? "";
  const isWanted = uid !== "";
  const run = useRun(uid, isWanted);
  const measurements = useChartMeasurements(uid, isWanted);
  const loaded: Loaded | undefined =
    side === undefined || run.data === undefined || measurements.data === undefined
      ? undefined
      : { name: side.name, run: run.data, list: measurements.data };
  return {
    isWanted,
    loaded,
    error: run.error ?? measurements.error,
    retry: () => {
      void run.refetch();
      void measurements.refetch();
    },
  };
}

function listMetrics(loaded: readonly Loaded[]): string[] {
  return [...new Set(loaded.flatMap(({ run }) => run.metrics.map(({ name }) => name)))];
}

function Metric({ metric, loaded }: { metric: string; loaded: readonly Loaded[] }) {
  const lines = loaded.flatMap(({ name, run, list }) =>
    run.startedAt === null ? [] : [{ name, points: alignValues(list.items, { metric, startedAt: run.startedAt }) }],
  );
  const end = lines
    .flatMap(({ points }) => points.map(({ at }) => Date.parse(at)))
    .reduce((one, other) => Math.max(one, other), 1000);
  return (
    <div>
      <Title order={3}>
        <HostileText text={metric} />
      </Title>
      <ul className={classes.plainList}>
        {loaded.map(({ name, run }) => {
          const found = run.metrics.find((each) => each.name === metric);
          return (
            <li key={name}>
              <span className={classes.quiet}>{name}:</span>{" "}
              {found === undefined ? (
                "not measured"
              ) : (
                <>
                  <StateBadge shown={classifyAnalysis(found.phase)} size="sm" variant="plain" /> {found.explanation}
                </>
              )}
            </li>
          );
        })}
      </ul>
      <LazySeriesChart
        label={`${metric} of both releases, by the time since each analysis began`}
        lines={lines}
        timeDomain={[0, end]}
        format={formatNumber}
        formatTime={(atMs) => `+${formatDuration(atMs)}`}
      />
      {loaded.map(({ name, list }) => (
        <Thinned key={name} name={name} metric={metric} list={list} />
      ))}
    </div>
  );
}

/** Says what is left out of one side's line. */
function Thinned({ name, metric, list }: { name: string; metric: string; list: MeasurementList }) {
  const leftOut = list.leftOut?.find((each) => each.metric === metric);
  const drawn = list.items.filter((each) => each.metric === metric).length;
  const said = describeLeftOut({ leftOut, drawn, detail: undefined });
  if (said === undefined) return null;
  return (
    <Text size="xs" c="dimmed">
      {name}: {said.note} {said.warning}
    </Text>
  );
}

/** As many digits as tell values apart: never rounded to 0. */
function formatNumber(value: number): string {
  return Number(value.toPrecision(5)).toString();
}

type Run = ReleaseCourse["runs"][number];

/** The analyses at the same place in two releases; undefined for a release without an analysis there. */
type RunPair = { key: string; one: Run | undefined; other: Run | undefined };

/** Pairs the newest analyses of two releases by type and step, in the order of the first one. `runs` are oldest first. */
export function pairRuns(one: readonly Run[], other: readonly Run[]): RunPair[] {
  const [ones, others] = [newestByPlace(one), newestByPlace(other)];
  const keys = [...new Set([...ones.keys(), ...others.keys()])];
  return keys.map((key) => ({ key, one: ones.get(key), other: others.get(key) }));
}

function newestByPlace(runs: readonly Run[]): Map<string, Run> {
  return new Map(runs.map((run) => [`${run.type} ${run.stepIndex ?? ""}`, run]));
}

type Measured = Pick<Measurement, "metric" | "startedAt" | "finishedAt" | "parsed">;

/**
 * Returns the values of a metric with their time since the run began, as times since 1970. A value that is not a number
 * stays a gap.
 */
export function alignValues(
  measurements: readonly Measured[],
  { metric, startedAt }: { metric: string; startedAt: string },
): { at: string; value: number | null }[] {
  const startMs = Date.parse(startedAt);
  return measurements
    .filter((measurement) => measurement.metric === metric)
    .map(({ startedAt: from, finishedAt, parsed }) => ({
      at: new Date(Math.max(0, Date.parse(finishedAt ?? from) - startMs)).toISOString(),
      value: parsed.number !== undefined && Number.isFinite(parsed.number) ? parsed.number : null,
    }));
}
