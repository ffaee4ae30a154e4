import { sameValueMs } from "./keep-changes.ts";

/** `at` in milliseconds since 1970. */
export type Point = { at: number; value: number };

/** By how much a counter rose between two scrapes. */
export type Increase = { from: number; to: number; value: number };

/** The known facts about the process of a counter. */
export type CountingProcess = {
  /** When it was scraped, in ascending order. A counter without a point at such a time may be absent or the same. */
  marks?: readonly number[];
  /** The stored samples of when it began, in seconds since 1970, oldest first. */
  starts?: readonly Point[];
};

/** How complete the points are. */
export type Completeness = {
  /** Earlier points were not read. */
  from?: number;
  /** How far apart two points of a counter may be that was there all the time. */
  silentMs?: number;
};

/** Two readings of one start differ by rounding. */
const sameStartMs = 2000;

/**
 * Returns by how much a counter rose between its points, oldest first. It counts from 0 again if its process was
 * restarted, or if it was absent at a scrape: then it rose by its whole value. If the process is the same, a counter
 * that falls lost some of its labels; by how much it rose meanwhile is not known.
 *
 * The count before the first point is known if the counter was absent at an earlier mark, or if the process had just
 * begun: there it was 0.
 */
export function computeIncreases(
  points: readonly Point[],
  { marks = [], starts = [] }: CountingProcess = {},
  { from = Number.NEGATIVE_INFINITY, silentMs = sameValueMs }: Completeness = {},
): Increase[] {
  const started = readStarts(starts);
  const increases: Increase[] = [];
  let last: Point | undefined;
  for (const point of points) {
    const mark = marks[countBelow(marks, point.at) - 1];
    // If it had been there before, it would have been stored again by then: at most `silentMs` after its last point.
    const wasAbsent = mark !== undefined && mark > (last?.at ?? from) + silentMs;
    const start = started(point.at);
    const hasJustBegun = start !== undefined && Math.abs(point.at - start) <= silentMs;
    const before = last === undefined ? undefined : started(last.at);
    if (last === undefined ? wasAbsent || hasJustBegun : wasAbsent || isLater(before, start)) {
      // The latest time at which it is known to have been 0, or to have had its previous value.
      const known = [wasAbsent || last !== undefined ? mark : undefined, hasJustBegun ? start : undefined, last?.at];
      const zeroAt = Math.max(...known.filter((at) => at !== undefined));
      // The clock of the process may be ahead.
      increases.push({ from: Math.min(zeroAt, point.at), to: point.at, value: point.value });
    } else if (last !== undefined) {
      const isSameProcess = before !== undefined && start !== undefined;
      const fallen = isSameProcess ? 0 : point.value;
      const risen = point.value < last.value ? fallen : point.value - last.value;
      increases.push({ from: last.at, to: point.at, value: risen });
    }
    last = point;
  }
  return increases;
}

/**
 * Returns when the process that was scraped at a time had begun, in milliseconds; undefined if that is not known. Of
 * several processes the one that began last counts. Compares only times of scrapes: the clock of the process may differ.
 */
export function readStarts(starts: readonly Point[]): (at: number) => number | undefined {
  const begun: { at: number; start: number }[] = [];
  for (const { at, value } of starts) {
    const start = value * 1000;
    if (isLater(begun.at(-1)?.start ?? Number.NEGATIVE_INFINITY, start)) begun.push({ at, start });
  }
  return (at) => begun.findLast((each) => each.at <= at)?.start;
}

/** Returns whether a process that began at `after` is another one, in milliseconds since 1970. */
export function isLater(before: number | undefined, after: number | undefined): boolean {
  return before !== undefined && after !== undefined && after - before > sameStartMs;
}

/** Adds up the increases of a counter after `since`; an increase that began before counts in part. */
export function sumIncreases(increases: readonly Increase[], since: number): number {
  return increases.reduce((sum, { from, to, value }) => {
    if (to <= since) return sum;
    const share = from >= since ? 1 : (to - since) / (to - from);
    return sum + value * share;
  }, 0);
}

/** Returns how many of the numbers, in ascending order, are below a value: the index of the first that is not. */
export function countBelow(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
