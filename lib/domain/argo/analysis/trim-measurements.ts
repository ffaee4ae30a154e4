import type { MetricResult } from "./types.ts";

/** analysis/analysis.go `DefaultMeasurementHistoryLimit`. */
export const defaultMeasurementLimit = 10;

/**
 * Drops the oldest measurements beyond a metric's limit; counters stay. `limits` come from the retention rules, where
 * a limit of 0 or below means the default (analysis/analysis.go `garbageCollectMeasurements`).
 */
export function trimMeasurements(
  results: readonly MetricResult[],
  limits: ReadonlyMap<string, number>,
  defaultLimit: number = defaultMeasurementLimit,
): readonly MetricResult[] {
  return results.map((result) => {
    const own = limits.get(result.name) ?? 0;
    const limit = own > 0 ? own : defaultLimit;
    const measurements = result.measurements ?? [];
    return measurements.length > limit ? { ...result, measurements: measurements.slice(-limit) } : result;
  });
}
