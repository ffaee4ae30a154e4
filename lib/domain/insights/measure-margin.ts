import type { Threshold, Thresholds } from "#lib/domain/delivery/explaining.ts";
import { quantile } from "./quantile.ts";

/** How far the values of a metric were from its nearest limit in one run, in the metric's own unit. */
export type Margin = { median: number; low: number };

/** Prisma writes 15 digits of a number: one nearer to the greatest double would be rounded up, and refused. */
const greatest = 1.7e308;

/**
 * Measures a run's margin: the median and the 10th percentile of the distances between values and the nearest limit.
 * Undefined if the conditions have no limit that is about the value itself, or there is no value.
 */
export function measureMargin(values: readonly number[], { thresholds }: Thresholds): Margin | undefined {
  const limits = thresholds.filter(isOfValue).map(({ value }) => value);
  if (limits.length === 0) return undefined;
  const distances = values.flatMap((value) => {
    const distance = Math.min(...limits.map((limit) => Math.abs(value - limit)));
    return distance <= greatest ? [distance] : [];
  });
  const [median, low] = [quantile(distances, 0.5), quantile(distances, 0.1)];
  return median === null || low === null ? undefined : { median, low };
}

/** The stored number is the value itself or the first of a list; other parts of a value are not compared with it. */
function isOfValue({ accessor, value }: Threshold): boolean {
  const isValue = /^(?:(?:asFloat|asInt|float|int)\()?result(?:\[0\])*\)?$/.test(accessor.replaceAll(" ", ""));
  return isValue && Number.isFinite(value);
}
