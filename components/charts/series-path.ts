import type { Plot } from "#components/charts/plot.ts";
import type { LineRow } from "#components/charts/prepare-metric-chart.ts";

/** Draws a line; a null value interrupts it, and so does one that the axis has no place for. */
export function drawLine(rows: readonly LineRow[], plot: Pick<Plot, "x" | "y">): string {
  let path = "";
  let isOpen = false;
  for (const { atMs, value } of rows) {
    const y = value === null ? Number.NaN : plot.y(value);
    if (!Number.isFinite(y)) {
      isOpen = false;
      continue;
    }
    path += `${isOpen ? "L" : "M"}${round(plot.x(atMs))} ${round(y)}`;
    isOpen = true;
  }
  return path;
}

/** Draws a thinned series: a stretch of it is a line from its least to its greatest value. */
export function drawStretches(
  stretches: readonly { atMs: number; low: number; high: number }[],
  plot: Pick<Plot, "x" | "y">,
): string {
  let path = "";
  for (const { atMs, low, high } of stretches) {
    const [bottom, top] = [plot.y(low), plot.y(high)];
    if (!Number.isFinite(bottom) || !Number.isFinite(top)) continue;
    path += `${path === "" ? "M" : "L"}${round(plot.x(atMs))} ${round(bottom)}`;
    if (low !== high) path += `V${round(top)}`;
  }
  return path;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
