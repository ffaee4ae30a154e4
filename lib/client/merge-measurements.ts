import type { LeftOut, Measurement, MeasurementList } from "#lib/contract/analysis-run.ts";

/**
 * Returns the position from which to read on; undefined if everything must be read again, because the server gave no
 * position or because many more points came together than a chart is meant to have: an answer itself has up to `points`
 * of each stretch, and as many that are not Successful.
 */
export function findResumePoint({ items, latest }: MeasurementList, points: number): string | undefined {
  const isCrowded = [...Map.groupBy(items, ({ metric }) => metric).values()].some((own) => own.length > 3 * points);
  return isCrowded ? undefined : (latest ?? undefined);
}

/** Completes a loaded answer by one that continues it: what either left out is left out of the whole. */
export function mergeAnswers(known: MeasurementList, newer: MeasurementList): MeasurementList {
  return {
    ...newer,
    items: mergeMeasurements(known.items, newer.items),
    leftOut: addLeftOut(known.leftOut ?? [], newer.leftOut ?? []),
  };
}

/** Completes loaded measurements: of each metric, the newer ones replace all from their first seq on. */
export function mergeMeasurements(known: readonly Measurement[], newer: readonly Measurement[]): Measurement[] {
  const added = Map.groupBy(newer, ({ metric }) => metric);
  const merged = new Map(Map.groupBy(known, ({ metric }) => metric));
  for (const [metric, own] of added) {
    const firstSeq = Math.min(...own.map(({ seq }) => seq));
    merged.set(metric, [...(merged.get(metric) ?? []).filter(({ seq }) => seq < firstSeq), ...own]);
  }
  return [...merged.values()].flat();
}

function addLeftOut(one: readonly LeftOut[], other: readonly LeftOut[]): LeftOut[] {
  return [...Map.groupBy([...one, ...other], ({ metric }) => metric)].map(([metric, parts]) => ({
    metric,
    count: parts.reduce((sum, { count }) => sum + count, 0),
    unsuccessful: parts.reduce((sum, { unsuccessful }) => sum + unsuccessful, 0),
  }));
}
