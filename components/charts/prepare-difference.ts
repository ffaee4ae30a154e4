import { findNearest } from "#components/charts/chart-cursor.ts";
import type { Domain } from "#components/charts/chart-scale.ts";
import type { LineRow } from "#components/charts/prepare-metric-chart.ts";
import { toShown } from "#lib/domain/units/show-value.ts";

export type Difference = {
  rows: LineRow[];
  /** The middle half of all differences, and the middle; undefined if there are fewer than four. */
  middle: { band: Domain; median: number } | undefined;
};

type Point = { atMs: number; value: number | undefined };

/**
 * Prepares the difference of two series, `own` minus `other`. Each value is compared with the nearest of the other
 * series; one that has none within half the distance between two of its own measurements has no difference.
 */
export function prepareDifference(own: readonly Point[], other: readonly Point[]): Difference {
  const known = other.flatMap(({ atMs, value }) => (value === undefined ? [] : [{ atMs, value }]));
  const farthest = Math.max(1_000, stepOf(own) / 2);
  const rows = own.map(({ atMs, value }) => {
    const nearest = known[findNearest(known, atMs)];
    const isNear = nearest !== undefined && Math.abs(nearest.atMs - atMs) <= farthest;
    return { atMs, value: value === undefined || !isNear ? null : value - nearest.value };
  });
  const sorted = rows.flatMap(({ value }) => value ?? []).toSorted((one, two) => one - two);
  return { rows, middle: sorted.length < 4 ? undefined : middleOf(sorted) };
}

/** The usual distance between two measurements: the middle one of all. */
function stepOf(points: readonly Point[]): number {
  const steps = points.slice(1).map(({ atMs }, index) => atMs - (points[index]?.atMs ?? atMs));
  const sorted = steps.toSorted((one, two) => one - two);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.POSITIVE_INFINITY;
}

function middleOf(sorted: readonly number[]): NonNullable<Difference["middle"]> {
  return { band: [quantile(sorted, 0.25), quantile(sorted, 0.75)], median: quantile(sorted, 0.5) };
}

function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
  return low + (high - low) * (place - Math.floor(place));
}

/** Formats the difference of two values with its sign, in at most four digits of the shown unit: `+0.02`, `−1200`, `0`. */
export function formatDifference(difference: number, unit: string | null = null): string {
  if (!Number.isFinite(difference)) return "unknown";
  const rounded = Number(toShown(difference, unit).toPrecision(4));
  if (rounded === 0) return "0";
  return rounded > 0 ? `+${rounded}` : `\u2212${Math.abs(rounded)}`;
}
