import type { Domain } from "#components/charts/chart-scale.ts";

/** Nothing is measured more often than about once in a second. */
const leastMs = 2_000;

/** Zooms by a factor around a moment that keeps its place; undefined if that is the whole time. */
export function zoomAround(
  shown: Domain,
  full: Domain,
  { atMs, factor }: { atMs: number; factor: number },
): Domain | undefined {
  const span = Math.max((shown[1] - shown[0]) * factor, Math.min(leastMs, full[1] - full[0]));
  const share = (atMs - shown[0]) / (shown[1] - shown[0] || 1);
  return within([atMs - share * span, atMs - share * span + span], full);
}

/** Moves the shown range by a share of its length, up to the ends. */
export function pan(shown: Domain, full: Domain, share: number): Domain | undefined {
  const by = (shown[1] - shown[0]) * share;
  return within([shown[0] + by, shown[1] + by], full);
}

/** Moves the shown range so that it contains the moment. */
export function reveal(shown: Domain, full: Domain, atMs: number): Domain | undefined {
  if (atMs >= shown[0] && atMs <= shown[1]) return within(shown, full);
  const half = (shown[1] - shown[0]) / 2;
  return within([atMs - half, atMs + half], full);
}

/** Returns the time between two places that were dragged over, in either direction; at least a moment long. */
export function brush(fromMs: number, toMs: number, full: Domain): Domain | undefined {
  const [start, end] = fromMs < toMs ? [fromMs, toMs] : [toMs, fromMs];
  const room = Math.max(0, Math.min(leastMs, full[1] - full[0]) - (end - start)) / 2;
  return within([start - room, end + room], full);
}

/** Returns the range of a link, cut to the whole; undefined if it is outside, is empty, or is the whole. */
export function fitZoom(fromMs: number | undefined, toMs: number | undefined, full: Domain): Domain | undefined {
  if (fromMs === undefined || toMs === undefined) return undefined;
  const [start, end] = [Math.max(fromMs, full[0]), Math.min(toMs, full[1])];
  return start < end ? brush(start, end, full) : undefined;
}

/** Moves a range into the whole; undefined if it is as long. */
function within([start, end]: Domain, full: Domain): Domain | undefined {
  const span = end - start;
  if (span >= full[1] - full[0] - 1e-6) return undefined;
  const moved = Math.min(Math.max(start, full[0]), full[1] - span);
  return [moved, moved + span];
}
