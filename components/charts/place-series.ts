import { findNearestBy } from "#components/charts/chart-cursor.ts";

type Numbered = { seq: number; atMs: number };

/** Returns the usual time between measurements that follow each other: the middle one of all. Unknown for fewer than two. */
export function computeInterval(points: readonly Numbered[]): number | undefined {
  const steps = points.slice(1).flatMap(({ seq, atMs }, index) => {
    const before = points[index];
    return before === undefined || seq === before.seq ? [] : [(atMs - before.atMs) / (seq - before.seq)];
  });
  return steps.toSorted((one, two) => one - two)[Math.floor(steps.length / 2)];
}

/**
 * Returns whether one series was measured more than twice as often as the other. By time, its few seconds would stand
 * beside one value of the other, drawn as if that had been measured all along.
 */
export function differInInterval(one: readonly Numbered[], other: readonly Numbered[]): boolean {
  const [first, second] = [computeInterval(one), computeInterval(other)];
  if (first === undefined || second === undefined) return false;
  return Math.max(first, second) > 2 * Math.min(first, second);
}

/** Places each point where the measurement of the same number is in `own`, and continues at the interval of `own`. */
export function placeByNumber<Point extends Numbered>(points: readonly Point[], own: readonly Numbered[]): Point[] {
  const interval = computeInterval(own) ?? 0;
  return points.map((point) => {
    const nearest = own[findNearestBy(own, point.seq, ({ seq }) => seq)];
    return nearest === undefined ? point : { ...point, atMs: nearest.atMs + (point.seq - nearest.seq) * interval };
  });
}
