import { type Component, processStart, type SeriesSpec, targetLabel } from "./component.ts";
import { type FoldedScrape, readLabels, type SeriesPresence, type SeriesValue, writeLabels } from "./fold-samples.ts";

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
