import { processStart, scrapeMark, targetLabel } from "./component.ts";
import type { StoredSeries } from "./facts.ts";
import { type Completeness, type CountingProcess, computeIncreases, type Increase, type Point } from "./increases.ts";

/** By how much a counter with these labels rose, in the order in which the increases began. */
export type LabelledIncreases = {
  labels: Readonly<Record<string, string>>;
  increases: Increase[];
  /** From when on it is known, in milliseconds since 1970. */
  knownFrom: number;
};

/** `markKeys`: series whose points tell when the process was scraped, beside the start of the process. */
type Options = Completeness & { markKeys?: readonly string[] };

/**
 * Returns by how much the counter rose, for each of its label sets. Those of several processes are put together only
 * here: one that goes is no fall of the others, and one that begins again counts from 0 by itself.
 */
export function listIncreases(
  samples: readonly StoredSeries[],
  key: string,
  { markKeys = [scrapeMark.key], ...completeness }: Options = {},
): LabelledIncreases[] {
  const processes = new Map<string | undefined, CountingProcess>();
  const found = new Map<string, LabelledIncreases>();
  for (const { series, labels, points } of samples) {
    const [first] = points;
    if (series !== key || first === undefined) continue;
    const { [targetLabel]: target, ...own } = labels;
    const process = processes.get(target) ?? findProcess(samples, target, markKeys);
    processes.set(target, process);
    const id = JSON.stringify(own);
    const all = found.get(id) ?? { labels: own, increases: [], knownFrom: first.at };
    const increases = computeIncreases(points, process, completeness);
    all.increases.push(...increases);
    all.knownFrom = Math.min(all.knownFrom, increases[0]?.from ?? first.at);
    found.set(id, all);
  }
  for (const { increases } of found.values()) increases.sort((one, other) => one.from - other.from);
  return [...found.values()];
}

function findProcess(
  samples: readonly StoredSeries[],
  target: string | undefined,
  markKeys: readonly string[],
): CountingProcess {
  const own = samples.filter(({ labels }) => labels[targetLabel] === target);
  const starts = pointsOf(own, [processStart]);
  return { starts, marks: [...new Set(pointsOf(own, [...markKeys, processStart]).map(({ at }) => at))] };
}

/** The starts of all processes, in the order of the scrapes. */
export function listStarts(samples: readonly StoredSeries[]): Point[] {
  return pointsOf(samples, [processStart]);
}

function pointsOf(samples: readonly StoredSeries[], keys: readonly string[]): Point[] {
  return samples
    .filter(({ series }) => keys.includes(series))
    .flatMap(({ points }) => points)
    .sort((one, other) => one.at - other.at);
}
