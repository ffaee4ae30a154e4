type Numbered = { seq: number; atMs: number };

/** Returns the usual time between measurements that follow each other: the middle one of all. Unknown for fewer than two. */
function computeInterval(points: readonly Numbered[]): number | undefined {
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
function differInInterval(one: readonly Numbered[], other: readonly Numbered[]): boolean {
  const [first, second] = [computeInterval(one), computeInterval(other)];
  if (first === undefined || second === undefined) return false;
  return Math.max(first, second) > 2 * Math.min(first, second);
}

/** The points of a series in the order of their numbers, and how much later `own` ran. */
type Earlier<Point> = { points: readonly Point[]; shiftMs: number };

/**
 * Places series that ran at another time beside `own`: from the same start or, if not all were measured about as often,
 * by the number of the measurement.
 */
export function placeBeside<Point extends Numbered>(
  own: readonly Numbered[],
  others: readonly Earlier<Point>[],
): { placed: Point[][]; isByNumber: boolean } {
  const isByNumber = others.some(({ points }) => differInInterval(points, own));
  const placed = others.map(({ points, shiftMs }) =>
    isByNumber ? placeByNumber(points, own) : points.map((point) => ({ ...point, atMs: point.atMs + shiftMs })),
  );
  return { placed, isByNumber };
}

/**
 * Places each point where the measurement of the same number is in `own`, and continues at the interval of `own`. Both
 * are in the order of their numbers: one walk through them is enough.
 */
function placeByNumber<Point extends Numbered>(points: readonly Point[], own: readonly Numbered[]): Point[] {
  const interval = computeInterval(own) ?? 0;
  let index = 0;
  return points.map((point) => {
    while ((own[index + 1]?.seq ?? Number.POSITIVE_INFINITY) <= point.seq) index += 1;
    const [before, after] = [own[index], own[index + 1]];
    if (before === undefined) return point;
    const isNearer = after !== undefined && after.seq - point.seq < point.seq - before.seq;
    const nearest = isNearer ? after : before;
    return { ...point, atMs: nearest.atMs + (point.seq - nearest.seq) * interval };
  });
}
