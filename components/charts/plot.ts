import type { Domain } from "#components/charts/chart-scale.ts";

export const chartHeight = 210;
const axisHeight = 24;
const axisWidth = 52;
const characterWidth = 7;

type PlotInput = { width: number; timeDomain: Domain; valueDomain: Domain; labelLength: number; height?: number };

/** Positions inside a chart, in pixels; all charts of a page share the time axis, and therefore its edges. */
export type Plot = ReturnType<typeof computePlot>;

export function computePlot({ width, timeDomain, valueDomain, labelLength, height = chartHeight }: PlotInput) {
  // Labels get the room that they need, but the plot keeps at least half of the width.
  const labelWidth = labelLength === 0 ? 12 : Math.min(width * 0.4, 14 + labelLength * characterWidth);
  const margin = { top: 10, right: labelWidth, bottom: 0, left: 0 };
  const left = axisWidth;
  const right = Math.max(left + 1, width - margin.right);
  const top = margin.top;
  const bottom = height - axisHeight;
  const timeSpan = timeDomain[1] - timeDomain[0] || 1;
  const valueSpan = valueDomain[1] - valueDomain[0] || 1;
  return {
    margin,
    left,
    right,
    top,
    bottom,
    axisHeight,
    axisWidth,
    x: (atMs: number) => left + ((atMs - timeDomain[0]) / timeSpan) * (right - left),
    y: (value: number) => bottom - ((value - valueDomain[0]) / valueSpan) * (bottom - top),
    timeAt: (x: number) => timeDomain[0] + ((x - left) / (right - left)) * timeSpan,
  };
}
