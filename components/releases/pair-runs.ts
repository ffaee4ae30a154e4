import type { Measurement } from "#lib/contract/analysis-run.ts";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";

type Run = ReleaseCourse["runs"][number];

/** The analyses at the same place in two releases; undefined for a release without an analysis there. */
export type RunPair = { key: string; one: Run | undefined; other: Run | undefined };

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
