import type { Measurement } from "#lib/contract/analysis-run.ts";

/**
 * Returns at most `points` measurements per metric, in order: first and last, those not successful or without a number,
 * and the minimum and maximum of equal stretches of the rest. If the exceptional ones are already too many, they are
 * thinned evenly, so that the answer keeps its bound.
 */
export function decimateMeasurements({
  measurements,
  points,
}: {
  measurements: readonly Measurement[];
  points: number;
}): Measurement[] {
  const byMetric = Map.groupBy(measurements, (measurement) => measurement.metric);
  return [...byMetric.values()].flatMap((own) => decimateOne(own, points));
}

function decimateOne(own: readonly Measurement[], points: number): Measurement[] {
  if (own.length <= points) return [...own];
  const last = own.length - 1;
  const numbers = own.flatMap((measurement, index) => (measurement.parsed.number === undefined ? [] : [index]));
  const kept = new Set<number>([...extremesOf(own, numbers), 0, last].slice(0, points));
  const ordinary: number[] = [];
  const exceptional: number[] = [];
  own.forEach((measurement, index) => {
    if (kept.has(index)) return;
    (isExceptional(measurement) ? exceptional : ordinary).push(index);
  });
  for (const index of thin(exceptional, points - kept.size)) kept.add(index);
  // A stretch yields two points, its lowest and its highest.
  const stretches = Math.floor((points - kept.size) / 2);
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    const from = Math.floor((stretch * ordinary.length) / stretches);
    const to = Math.floor(((stretch + 1) * ordinary.length) / stretches);
    for (const index of extremesOf(own, ordinary.slice(from, to))) kept.add(index);
  }
  return own.filter((_, index) => kept.has(index));
}

function isExceptional({ phase, parsed }: Measurement): boolean {
  return phase !== "Successful" || parsed.number === undefined;
}

/** Returns the places of the lowest and the highest number among the given places. */
function extremesOf(own: readonly Measurement[], places: readonly number[]): number[] {
  let lowest: number | undefined;
  let highest: number | undefined;
  for (const index of places) {
    const value = own[index]?.parsed.number ?? Number.NaN;
    if (lowest === undefined || value < (own[lowest]?.parsed.number ?? 0)) lowest = index;
    if (highest === undefined || value > (own[highest]?.parsed.number ?? 0)) highest = index;
  }
  return [lowest, highest].filter((index) => index !== undefined);
}

function thin(places: readonly number[], room: number): number[] {
  if (places.length <= room) return [...places];
  return Array.from(
    { length: Math.max(0, room) },
    (_, index) => places[Math.floor((index * places.length) / room)] ?? 0,
  );
}
