import type { Domain } from "#components/charts/chart-scale.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const steps = [1, 2, 5, 10, 15, 30]
  .map((count) => count * second)
  .concat([1, 2, 5, 10, 15, 30].map((count) => count * minute))
  .concat([1, 2, 3, 6, 12].map((count) => count * hour))
  .concat([1, 2, 7, 14, 30, 90].map((count) => count * day));

/** Computes round times inside the domain, as many as fit into `width` pixels. */
export function computeTimeTicks([start, end]: Domain, width: number): number[] {
  const most = Math.max(2, Math.floor(width / 90));
  const step = steps.find((candidate) => (end - start) / candidate <= most) ?? 365 * day;
  const ticks: number[] = [];
  for (let at = Math.ceil(start / step) * step; at <= end; at += step) ticks.push(at);
  return ticks;
}

/** Half the width of a time on the axis, in pixels. */
const halfTime = 25;
/** Room between the value axis and its words, and half the height of these. */
const tickRoom = 6;

type Axes = { width: number; left: number; bottom: number; x: (atMs: number) => number; y: (value: number) => number };

/** Leaves out times whose words have no room: at the right edge, and beside the words of a value at the foot of its axis. */
export function keepReadable(times: readonly number[], axes: Axes, values: readonly { value: number }[]): number[] {
  const { width, left, bottom, x, y } = axes;
  const isFootTaken = values.some(({ value }) => y(value) > bottom - tickRoom);
  return times.filter((atMs) => x(atMs) + halfTime <= width && !(isFootTaken && x(atMs) - halfTime < left - tickRoom));
}

type Timed = { startedAt: string | null; finishedAt?: string | null; completedAt?: string | null };

/**
 * Computes the time axis of a run: from its start to its end, or to the newest measurement while it runs. Never empty.
 */
export function computeTimeDomain(run: Timed, measurements: readonly Timed[]): Domain {
  const times = [
    run.startedAt,
    run.completedAt,
    ...measurements.flatMap(({ startedAt, finishedAt }) => [startedAt, finishedAt]),
  ]
    .flatMap((time) => (time === null || time === undefined ? [] : [Date.parse(time)]))
    .filter(Number.isFinite);
  if (times.length === 0) return [0, minute];
  const start = times.reduce((one, other) => Math.min(one, other));
  const end = times.reduce((one, other) => Math.max(one, other));
  const room = Math.max((end - start) * 0.02, 2 * second);
  return [start - room, end + room];
}

/**
 * Spreads places of the same whole second evenly over that second, in order. The cluster writes whole seconds; drawn on
 * top of each other, only one place would be visible.
 */
export function spreadSeconds<Place extends { atMs: number }>(places: readonly Place[]): Place[] {
  const bySecond = Map.groupBy(places, ({ atMs }) => atMs);
  return places.map((place) => {
    const together = bySecond.get(place.atMs) ?? [];
    if (together.length < 2 || place.atMs % 1_000 !== 0) return place;
    return { ...place, atMs: place.atMs + (together.indexOf(place) * 1_000) / together.length };
  });
}
