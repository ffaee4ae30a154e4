import type { SeriesValue } from "./fold-samples.ts";

/** A value that stays the same is stored once in this time. */
export const sameValueMs = 300_000;

/** `at` is in ISO 8601. */
export type StoredValue = SeriesValue & { at: string };

/** The values of the last successful scrape, and when each was last stored. */
export type KeptValues = { at: string; values: ReadonlyMap<string, { value: SeriesValue; storedAt: string }> };

/**
 * Chooses the values to store from a scrape: those that changed, and those that were not stored for five minutes. For
 * values that changed or went, the previous value is stored too, at the time of the previous scrape. Between two stored
 * points the value is therefore known, and a step stays a step. Without `before` everything is stored.
 */
export function keepChanges(
  { at, values }: { at: string; values: readonly SeriesValue[] },
  before: KeptValues | undefined,
): { rows: StoredValue[]; kept: KeptValues } {
  const rows: StoredValue[] = [];
  const kept = new Map<string, { value: SeriesValue; storedAt: string }>();
  for (const value of values) {
    const key = `${value.series} ${value.labels}`;
    const last = before?.values.get(key);
    const isSame = last !== undefined && last.value.value === value.value;
    if (isSame && Date.parse(at) - Date.parse(last.storedAt) < sameValueMs) {
      kept.set(key, last);
      continue;
    }
    if (before !== undefined && last !== undefined && !isSame && last.storedAt !== before.at)
      rows.push({ ...last.value, at: before.at });
    rows.push({ ...value, at });
    kept.set(key, { value, storedAt: at });
  }
  for (const [key, { value, storedAt }] of before?.values ?? [])
    if (!kept.has(key) && before !== undefined && storedAt !== before.at) rows.push({ ...value, at: before.at });
  return { rows, kept: { at, values: kept } };
}
