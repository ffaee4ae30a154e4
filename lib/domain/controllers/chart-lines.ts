import { type Completeness, countBelow, type Increase, type Point } from "#lib/domain/controllers/increases.ts";
import { type SeriesSpec, scrapeMark } from "./component.ts";
import { findSeries, type StoredSeries } from "./facts.ts";
import { type LabelledIncreases, listIncreases } from "./list-increases.ts";
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
 * Prepares a series for a chart: a gauge as it is, a counter as its increase per minute, a histogram as its 50th and
 * 99th percentile. `samples` are all that is stored of the controller: if scrapes have a hole, so have the lines.
 * `completeness`: how far before the window the samples reach, and how thin they are.
 */
export function prepareChartLines(
  spec: SeriesSpec,
  samples: readonly StoredSeries[],
  { window, completeness }: { window: ChartWindow; completeness?: Completeness },
): { lines: ChartLine[]; omitted: number } {
  const marks = findSeries({ samples }, scrapeMark.key).flatMap(({ points }) => points);
  const known = coverage(
    marks.map(({ at }) => at),
    window,
  );
  const lines = drawLines(spec, samples, { window, known, completeness });
  const ordered = lines.toSorted((one, other) => greatest(other) - greatest(one) || (one.name < other.name ? -1 : 1));
  const kept = spec.kind === "histogram" ? lines : ordered.slice(0, maxLines);
  return { lines: kept, omitted: lines.length - kept.length };
}

function drawLines(
  { key, kind }: SeriesSpec,
  samples: readonly StoredSeries[],
  drawing: Drawing & { completeness: Completeness | undefined },
): ChartLine[] {
  if (kind === "gauge")
    return findSeries({ samples }, key).map(({ labels, points }) => ({
      name: nameOf(labels),
      points: gaugePoints(points, drawing),
    }));
  const counted = listIncreases(samples, key, drawing.completeness);
  if (kind === "histogram") return quantileLines(counted, drawing);
  return counted.map((each) => ({ name: nameOf(each.labels), points: ratePoints(each, drawing) }));
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
    const next = countBelow(marks, at);
    const [before, after] = [marks[next - 1], marks[next]];
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

function ratePoints({ increases, knownFrom }: LabelledIncreases, { window, known }: Drawing): ChartLine["points"] {
  return sumBySteps(increases, window).map((sum, index) => {
    const at = window.from + (index + 0.5) * window.stepMs;
    const isKnown = known(at) && at + window.stepMs / 2 > knownFrom;
    return { at, value: isKnown ? (sum * 60_000) / window.stepMs : null };
  });
}

/** Spreads each increase over the steps that it covers. */
function sumBySteps(increases: readonly Increase[], { from, to, stepMs }: ChartWindow): number[] {
  const sums = Array.from({ length: Math.ceil((to - from) / stepMs) }, () => 0);
  for (const increase of increases) {
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

function quantileLines(counted: readonly LabelledIncreases[], { window, known }: Drawing): ChartLine[] {
  const buckets = counted.flatMap(({ labels: { le }, increases }) =>
    le === undefined ? [] : [{ le: readBound(le), sums: sumBySteps(increases, window) }],
  );
  if (buckets.length === 0) return [];
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
