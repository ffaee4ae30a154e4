import type { Measurement, MeasurementList } from "#lib/contract/analysis-run.ts";

/**
 * Returns the position from which to read on; undefined if everything must be read again, because the server gave no
 * position or because twice as many points came together as a chart is meant to have.
 */
export function findResumePoint({ items, latest }: MeasurementList, points: number): string | undefined {
  const isCrowded = [...Map.groupBy(items, ({ metric }) => metric).values()].some((own) => own.length > 2 * points);
  return isCrowded ? undefined : (latest ?? undefined);
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
