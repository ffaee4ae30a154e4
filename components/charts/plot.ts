import { type Domain, type ScaleKind, toShare } from "#components/charts/chart-scale.ts";

export const chartHeight = 232;
/** Of a chart without a value axis. */
export const stripHeight = 64;
/** Room above the plot for the marks of what happened. */
const markHeight = 18;
const timesHeight = 22;
const axisWidth = 60;
const characterWidth = 7;
/** On a chart of less width, labels at the ends of their lines would take a third of it. */
const narrowWidth = 560;

type PlotInput = {
  width: number;
  timeDomain: Domain;
  valueDomain: Domain;
  labelLength: number;
  height?: number;
  kind?: ScaleKind;
  hasMarks?: boolean;
  /** Room below the plot for the times, in pixels. */
  axisHeight?: number;
};

/** Positions inside a chart, in pixels; all charts of a page share the time axis, and therefore its edges. */
export type Plot = ReturnType<typeof computePlot>;

export function computePlot(input: PlotInput) {
  const {
    width,
    timeDomain,
    valueDomain,
    labelLength,
    height = chartHeight,
    kind = "linear",
    hasMarks = false,
    axisHeight = timesHeight,
  } = input;
  const hasInnerLabels = width < narrowWidth;
  // Labels get the room that they need, but the plot keeps at least half of the width.
  const labelWidth =
    labelLength === 0 || hasInnerLabels ? 12 : Math.min(width * 0.4, 14 + labelLength * characterWidth);
  const left = axisWidth;
  const right = Math.max(left + 1, width - labelWidth);
  const top = hasMarks ? markHeight : 10;
  const bottom = height - axisHeight;
  const timeSpan = timeDomain[1] - timeDomain[0] || 1;
  return {
    width,
    height,
    left,
    right,
    top,
    bottom,
    /** Labels of lines are in the plot, above their lines. */
    hasInnerLabels,
    x: (atMs: number) => left + ((atMs - timeDomain[0]) / timeSpan) * (right - left),
    y: (value: number) => bottom - toShare(value, valueDomain, kind) * (bottom - top),
    timeAt: (x: number) => timeDomain[0] + ((x - left) / (right - left)) * timeSpan,
  };
}
