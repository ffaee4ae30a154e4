import { type Component, processStart, type SeriesSpec, targetLabel } from "./component.ts";
import type { MetricSample } from "./read-exposition.ts";

/** A value of a series. `labels` is a canonical text; see `writeLabels`. */
export type SeriesValue = { series: string; labels: string; value: number };

/**
 * Whether a series was there. `none-yet`: a counter that appears with its first event. `too-many`: it has more labels
 * than are kept apart.
 */
export type SeriesPresence = "present" | "none-yet" | "not-available" | "too-many";

export type FoldedScrape = {
  values: SeriesValue[];
  presence: Record<string, SeriesPresence>;
  /** As the metrics say it; undefined if they do not, or if replicas disagree. */
  version: string | undefined;
};

export type SampleFolder = {
  isWanted(name: string): boolean;
  add(sample: MetricSample): void;
  end(): FoldedScrape;
};

/** Label sets of one series that are kept apart. More are not stored: which ones would be left to chance. */
const maxLabelSets = 300;
const maxLabelLength = 200;

type Kept = { spec: SeriesSpec; values: Map<string, number> };

/** Folds the samples of one scrape into the series that are kept of a component. */
export function createSampleFolder({ series, identity, versionLabel, versionTime }: Component): SampleFolder {
  const kept = new Map<string, Kept[]>();
  for (const spec of series) {
    const own = { spec, values: new Map<string, number>() };
    for (const metric of spec.metrics.flatMap((each) => (spec.kind === "histogram" ? histogramNames(each) : [each])))
      kept.set(metric, [...(kept.get(metric) ?? []), own]);
  }
  const seen = new Set<string>();
  const indicators = new Set(series.flatMap(({ appearsWith }) => appearsWith ?? []));
  const versions = new Set<string>();
  return {
    isWanted: (name) => kept.has(name) || indicators.has(name) || name === identity || name === versionTime,
    add(sample) {
      seen.add(sample.name);
      const version = versionLabel === undefined ? undefined : sample.labels[versionLabel];
      if (sample.name === versionTime && sample.value > 0) versions.add(formatDay(sample.value));
      if (sample.name === identity && version !== undefined) versions.add(version);
      for (const own of kept.get(sample.name) ?? []) addTo(own, sample);
    },
    end() {
      const all = [...new Set([...kept.values()].flat())];
      const presence = all.map(({ spec, values }): [string, SeriesPresence] => [
        spec.key,
        presenceOf({ spec, size: values.size, seen }),
      ]);
      return {
        values: all.flatMap(({ spec, values }) =>
          values.size > maxLabelSets ? [] : [...values].map(([labels, value]) => ({ series: spec.key, labels, value })),
        ),
        presence: Object.fromEntries(presence),
        version: versions.size === 1 ? [...versions][0] : undefined,
      };
    },
  };
}

/** As in Prow's tags. */
function formatDay(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? "" : `v${date.toISOString().slice(0, 10).replaceAll("-", "")}`;
}

function presenceOf({
  spec,
  size,
  seen,
}: {
  spec: SeriesSpec;
  size: number;
  seen: ReadonlySet<string>;
}): SeriesPresence {
  if (size > maxLabelSets) return "too-many";
  if (size > 0) return "present";
  // A counter that is there, but not with these labels, has counted nothing of this kind either.
  const hasCounted = spec.where !== undefined && spec.metrics.some((metric) => seen.has(metric));
  return hasCounted || (spec.appearsWith !== undefined && seen.has(spec.appearsWith)) ? "none-yet" : "not-available";
}

function addTo({ spec, values }: Kept, { name, labels, value }: MetricSample): void {
  if (spec.where !== undefined && !spec.where.matches.test(labels[spec.where.label] ?? "")) return;
  const by = [...(spec.by ?? []), ...(name.endsWith("_bucket") ? ["le"] : [])];
  const part: Record<string, string> =
    spec.kind !== "histogram" || name.endsWith("_bucket") ? {} : { of: name.endsWith("_sum") ? "sum" : "count" };
  const key = writeLabels({ ...Object.fromEntries(by.map((label) => [label, labels[label] ?? ""])), ...part });
  // Guards the memory: what is beyond it is only counted.
  const before = values.get(key);
  if (before === undefined && values.size > maxLabelSets) return;
  if (before === undefined) values.set(key, value);
  else values.set(key, spec.fold === undefined ? before + value : Math.max(before, value));
}

function histogramNames(metric: string): string[] {
  return [`${metric}_bucket`, `${metric}_count`, `${metric}_sum`];
}

/** Writes labels as JSON with sorted names; the empty text if there are none. Long values are cut. */
export function writeLabels(labels: Readonly<Record<string, string>>): string {
  const entries = Object.entries(labels)
    .map(([name, value]): [string, string] => [name, value.slice(0, maxLabelLength)])
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.length === 0 ? "" : JSON.stringify(Object.fromEntries(entries));
}

/** Reads what `writeLabels` wrote. */
export function readLabels(text: string): Record<string, string> {
  return text === "" ? {} : (JSON.parse(text) as Record<string, string>);
}

/** The metrics of one process. `target` names the process. */
export type FoldedTarget = { target: string; folded: FoldedScrape };

/**
 * Merges the metrics that several processes of a component had at one time. Counters, histograms and the start stay
 * apart with the label `target`: added up, a process that goes would look as if the others had begun again. Gauges
 * become one.
 */
export function mergeTargets({ series }: Pick<Component, "series">, targets: readonly FoldedTarget[]): FoldedScrape {
  // The newest last: its value is the one that is kept.
  const ordered = targets.toSorted((one, other) => startOf(one) - startOf(other));
  const presence = series.map(({ key }): [string, SeriesPresence] => [
    key,
    strongest(targets.map(({ folded }) => folded.presence[key])),
  ]);
  const versions = new Set(targets.flatMap(({ folded }) => folded.version ?? []));
  return {
    values: series.flatMap((spec) => mergeSeries(spec, ordered)),
    presence: Object.fromEntries(presence),
    version: versions.size === 1 ? [...versions][0] : undefined,
  };
}

function mergeSeries({ key, kind, fold }: SeriesSpec, targets: readonly FoldedTarget[]): SeriesValue[] {
  const merged = new Map<string, SeriesValue>();
  // Without the values of the process that has too many labels, the other values would look complete.
  if (targets.some(({ folded }) => folded.presence[key] === "too-many")) return [];
  for (const { target, folded } of targets) {
    for (const { labels, value } of folded.values.filter(({ series }) => series === key)) {
      const isApart = kind !== "gauge" || fold === "apart";
      const own = isApart ? writeLabels({ ...readLabels(labels), [targetLabel]: target }) : labels;
      const before = merged.get(own)?.value;
      merged.set(own, { series: key, labels: own, value: before === undefined ? value : foldTwo(fold, before, value) });
    }
  }
  return [...merged.values()];
}

function foldTwo(fold: SeriesSpec["fold"], older: number, newer: number): number {
  if (fold === "newest") return newer;
  return fold === "max" ? Math.max(older, newer) : older + newer;
}

const byStrength: readonly (SeriesPresence | undefined)[] = ["too-many", "present", "none-yet", "not-available"];

function strongest(presences: readonly (SeriesPresence | undefined)[]): SeriesPresence {
  return byStrength.find((each) => presences.includes(each)) ?? "not-available";
}

/** A process whose start is not known is not the newest. */
function startOf({ folded }: FoldedTarget): number {
  return folded.values.find(({ series }) => series === processStart)?.value ?? 0;
}
