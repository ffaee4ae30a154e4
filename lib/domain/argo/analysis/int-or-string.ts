import type { IntOrString, MetricSpec } from "./types.ts";

const maxInt64 = 2n ** 63n - 1n;
const minInt64 = -(2n ** 63n);

/**
 * Returns the whole number in a limit. Text that is not a decimal integer is 0; text beyond 64 bits is the nearest
 * bound (k8s.io/apimachinery util/intstr `IntOrString.IntValue`, which drops the error of strconv.Atoi but keeps its
 * value).
 */
export function intValue(value: IntOrString | undefined): number {
  return Number(integerOf(value));
}

/** Returns `intValue` cut to 32 bits with wrap-around, as the controller compares counters (`int32(x.IntValue())`). */
export function int32Value(value: IntOrString | undefined): number {
  return Number(BigInt.asIntN(32, integerOf(value)));
}

function integerOf(value: IntOrString | undefined): bigint {
  if (value === undefined) return 0n;
  if (typeof value === "number") return Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n;
  if (!/^[+-]?[0-9]+$/.test(value) || value.length > 4096) return 0n;
  const parsed = BigInt(value.replace(/^\+/, ""));
  if (parsed > maxInt64) return maxInt64;
  return parsed < minInt64 ? minInt64 : parsed;
}

/**
 * Returns how many measurements end a metric; undefined means that it does not end. Absent or 0 means one measurement
 * without an interval, unlimited with one (analysis_types.go `Metric.EffectiveCount`).
 */
export function effectiveCount(metric: Pick<MetricSpec, "count" | "interval">): number | undefined {
  if (metric.count === undefined || intValue(metric.count) === 0) return hasText(metric.interval) ? undefined : 1;
  return int32Value(metric.count);
}

function hasText(text: string | undefined): boolean {
  return text !== undefined && text !== "";
}
