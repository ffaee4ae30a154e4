import { isCompleted } from "./phase.ts";
import type { Measurement, MetricResult } from "./types.ts";

/**
 * Adds a measurement to a metric's result: replaces the last one if that is in flight, else appends. A completed phase
 * changes the counters: `count` leaves errors out, `consecutiveError` and `consecutiveSuccess` restart with any other
 * outcome. The caller sets `finishedAt` of a completed measurement.
 * Mirrors argo-rollouts analysis/analysis.go `runMeasurements`.
 */
export function applyMeasurement(result: MetricResult, measurement: Measurement): MetricResult {
  const measurements = result.measurements ?? [];
  const last = measurements.at(-1);
  const kept = last !== undefined && last.finishedAt === undefined ? measurements.slice(0, -1) : measurements;
  return { ...result, ...countersAfter(result, measurement), measurements: [...kept, measurement] };
}

function countersAfter(result: MetricResult, { phase }: Measurement): Partial<MetricResult> {
  if (!isCompleted(phase)) return {};
  if (phase === "Error") {
    return {
      error: (result.error ?? 0) + 1,
      consecutiveError: (result.consecutiveError ?? 0) + 1,
      consecutiveSuccess: 0,
    };
  }
  const count = (result.count ?? 0) + 1;
  const base = { count, consecutiveError: 0, consecutiveSuccess: 0 };
  if (phase === "Failed") return { ...base, failed: (result.failed ?? 0) + 1 };
  if (phase === "Inconclusive") return { ...base, inconclusive: (result.inconclusive ?? 0) + 1 };
  return {
    ...base,
    successful: (result.successful ?? 0) + 1,
    consecutiveSuccess: (result.consecutiveSuccess ?? 0) + 1,
  };
}
