import { placeOf } from "#components/charts/metric-marks.tsx";
import type { Plot } from "#components/charts/plot.ts";
import type { ChartPoint } from "#components/charts/prepare-metric-chart.ts";

/** How far from the center of a point a click still hits it, in pixels. */
const reach = 10;

/** Finds the point drawn at a position of a chart, in pixels; -1 if no point is there. */
export function hitPoint(
  points: readonly Pick<ChartPoint, "atMs" | "value">[],
  { left, top }: { left: number; top: number },
  plot: Plot,
): number {
  let hit = -1;
  let least = reach;
  points.forEach((point, index) => {
    const x = plot.x(point.atMs);
    if (x < plot.left - 1 || x > plot.right + 1) return;
    const distance = Math.hypot(left - x, top - placeOf(point, plot));
    if (distance > least) return;
    least = distance;
    hit = index;
  });
  return hit;
}
