/** `at` in milliseconds since 1970. */
export type Point = { at: number; value: number };

/** By how much a counter rose between two scrapes. */
export type Increase = { from: number; to: number; value: number };

/**
 * Returns by how much a counter rose between its points, oldest first. A value below the one before means that the
 * process was started again and counted from 0. `marks` are the times of all successful scrapes: a counter that first
 * appears after one of them was 0 there. Without an earlier mark nothing is known of what it counted before.
 */
export function computeIncreases(points: readonly Point[], marks: readonly number[] = []): Increase[] {
  const increases: Increase[] = [];
  const [first] = points;
  if (first === undefined) return [];
  const before = marks.findLast((mark) => mark < first.at);
  let last: Point | undefined = before === undefined ? undefined : { at: before, value: 0 };
  for (const point of points) {
    if (last !== undefined)
      increases.push({
        ...{ from: last.at, to: point.at },
        value: point.value < last.value ? point.value : point.value - last.value,
      });
    last = point;
  }
  return increases;
}

/** Adds up what a counter rose by after `since`; an increase that began before counts in part. */
export function sumIncreases(increases: readonly Increase[], since: number): number {
  return increases.reduce((sum, { from, to, value }) => {
    if (to <= since) return sum;
    const share = from >= since ? 1 : (to - since) / (to - from);
    return sum + value * share;
  }, 0);
}
