import type { SeriesSpec } from "./component.ts";
import type { StoredSeries } from "./facts.ts";
import { computeIncreases, type Point } from "./increases.ts";
import { type Bucket, estimateQuantile } from "./quantile.ts";

/** A line of a chart. A null is a gap: nothing is known of that time. */
export type ChartLine = {
  /** Empty if the series has one line. */
  name: string;
  points: { at: number; value: number | null }[];
};

export type ChartWindow = { from: number; to: number; stepMs: number };

/** Lines of one chart; more are not drawn. */
const maxLines = 8;

/**
 * Prepares a stored series for a chart: a gauge as it is, a counter as its increase per minute, a histogram as its 50th
 * and 99th percentile. `marks` are the times of successful scrapes; where they have a hole, so have the lines.
 */
export function prepareChartLines(
  spec: SeriesSpec,
  stored: readonly StoredSeries[],
  { marks, window }: { marks: readonly number[]; window: ChartWindow },
): { lines: ChartLine[]; omitted: number } {
  const known = coverage(marks, window);
  const lines =
    spec.kind === "histogram"
      ? quantileLines(stored, { marks, window, known })
      : stored.map((series): ChartLine => {
          const points =
            spec.kind === "gauge"
              ? gaugePoints(series.points, { window, known })
              : ratePoints(series.points, { marks, window, known });
          return { name: nameOf(series.labels), points };
        });
  const ordered = lines.toSorted((one, other) => greatest(other) - greatest(one) || (one.name < other.name ? -1 : 1));
  const kept = spec.kind === "histogram" ? lines : ordered.slice(0, maxLines);
  return { lines: kept, omitted: lines.length - kept.length };
}

function nameOf(labels: Readonly<Record<string, string>>): string {
  const { org, repo, ...others } = labels;
  return repo === undefined ? Object.values(labels).join(" ") : [`${org}/${repo}`, ...Object.values(others)].join(" ");
}

function greatest({ points }: ChartLine): number {
  return points.reduce((most, { value }) => Math.max(most, value ?? 0), 0);
}

type Known = (atMs: number) => boolean;

/** Returns whether scrapes succeeded around a time: two marks not too far apart have it between them. */
function coverage(marks: readonly number[], { stepMs }: ChartWindow): Known {
  const longest = Math.max(2.5 * stepMs, 60_000);
  return (at) => {
    let low = 0;
    let high = marks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((marks[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    const [before, after] = [marks[low - 1], marks[low]];
    // After the last scrape, what it said holds until another one is overdue.
    return after === at || (before !== undefined && (after ?? at) - before <= longest);
  };
}

type Drawing = { window: ChartWindow; known: Known };

/** A gauge keeps its value until the next stored one. */
function gaugePoints(points: readonly Point[], { window, known }: Drawing): ChartLine["points"] {
  const drawn: ChartLine["points"] = [];
  for (const [index, point] of points.entries()) {
    const before = points[index - 1];
    if (before !== undefined && hasHole(before.at, point.at, { window, known }))
      drawn.push({ at: before.at + 1, value: null });
    if (point.at >= window.from && point.at <= window.to) drawn.push(point);
  }
  // What is known now is the last value, as long as scrapes succeed.
  const last = points.at(-1);
  if (last !== undefined && last.at < window.to && known(window.to) && !hasHole(last.at, window.to, { window, known }))
    drawn.push({ at: window.to, value: last.value });
  return drawn;
}

function hasHole(from: number, to: number, { window, known }: Drawing): boolean {
  for (let at = from + window.stepMs / 2; at < to; at += window.stepMs) if (!known(at)) return true;
  return false;
}

type Counting = Drawing & { marks: readonly number[] };

function ratePoints(points: readonly Point[], counting: Counting): ChartLine["points"] {
  const sums = sumBySteps(points, counting);
  const { window, known } = counting;
  const first = points[0]?.at ?? Number.POSITIVE_INFINITY;
  return sums.map((sum, index) => {
    const at = window.from + (index + 0.5) * window.stepMs;
    return { at, value: known(at) && at >= first - window.stepMs ? (sum * 60_000) / window.stepMs : null };
  });
}

/** Spreads each increase over the steps that it covers. */
function sumBySteps(points: readonly Point[], { marks, window: { from, to, stepMs } }: Counting): number[] {
  const sums = Array.from({ length: Math.ceil((to - from) / stepMs) }, () => 0);
  for (const increase of computeIncreases(points, marks)) {
    if (increase.value === 0) continue;
    const span = increase.to - increase.from || 1;
    const last = Math.min(sums.length - 1, Math.floor((increase.to - from) / stepMs));
    for (let step = Math.max(0, Math.floor((increase.from - from) / stepMs)); step <= last; step++) {
      const start = Math.max(increase.from, from + step * stepMs);
      const end = Math.min(increase.to, from + (step + 1) * stepMs);
      if (end > start) sums[step] = (sums[step] ?? 0) + (increase.value * (end - start)) / span;
    }
  }
  return sums;
}

function quantileLines(stored: readonly StoredSeries[], counting: Counting): ChartLine[] {
  const buckets = stored.flatMap(({ labels: { le }, points }) =>
    le === undefined ? [] : [{ le: readBound(le), sums: sumBySteps(points, counting) }],
  );
  if (buckets.length === 0) return [];
  const { window, known } = counting;
  const steps = buckets[0]?.sums.length ?? 0;
  return [0.5, 0.99].map((share) => ({
    name: `p${share * 100}`,
    points: Array.from({ length: steps }, (_, index) => {
      const at = window.from + (index + 0.5) * window.stepMs;
      const own = buckets.map(({ le, sums }): Bucket => ({ le, count: sums[index] ?? 0 }));
      return { at, value: known(at) ? (estimateQuantile(own, share)?.value ?? null) : null };
    }),
  }));
}

/** Reads the bound of a bucket. */
export function readBound(le: string): number {
  return le === "+Inf" ? Number.POSITIVE_INFINITY : Number(le);
}
