import type { Domain } from "#components/charts/chart-scale.ts";
import type { Plot } from "#components/charts/plot.ts";
import type { WeightStep } from "#components/charts/prepare-weight-steps.ts";
import type { RunMark } from "#lib/contract/analysis-run.ts";

export type ChartMark = { atMs: number; kind: RunMark["kind"]; text: string };
export type EarlierLine = { uid: string; stretches: readonly { atMs: number; low: number; high: number }[] };

/** The context of a chart's measurements: the weight, events, and the measurements of earlier runs. */
export type ChartSurroundings = {
  weights: readonly WeightStep[];
  marks: readonly ChartMark[];
  earlier: readonly EarlierLine[];
  /** Earlier runs were measured at other intervals: they are drawn by the numbers of their measurements. */
  isEarlierByNumber?: boolean;
};

type EventSignsProps = { marks: readonly ChartMark[]; plot: Plot; timeDomain: Domain };

/** Draws a sign above the line of each event. */
export function EventSigns({ marks, plot, timeDomain }: EventSignsProps) {
  return placeSigns(marks, plot, timeDomain).map(({ mark: { atMs, kind, text }, x }) => (
    <MarkSign key={`${atMs} ${kind} ${text}`} x={x} y={plot.top - 8} kind={kind} />
  ));
}

const signWidth = 11;

/** Places the signs of the marks in view beside each other if they would cover each other; the lines stay. */
function placeSigns(marks: readonly ChartMark[], plot: Plot, [start, end]: Domain): { mark: ChartMark; x: number }[] {
  let free = Number.NEGATIVE_INFINITY;
  return marks
    .filter(({ atMs }) => atMs >= start && atMs <= end)
    .map((mark) => {
      const x = Math.max(plot.x(mark.atMs), free);
      free = x + signWidth;
      return { mark, x };
    });
}

/** Draws the sign of an event: a step is a bar, a pause two bars, a person a triangle, everything else a square. */
export function MarkSign({ x, y, kind }: { x: number; y: number; kind: ChartMark["kind"] }) {
  const fill = kind === "person" ? "var(--gh-accent-text)" : "var(--gh-slate-mark)";
  switch (kind) {
    case "person":
      return <path d={`M${x - 5} ${y - 5}h10l-5 9z`} fill={fill} />;
    case "pause":
      return <path d={`M${x - 4} ${y - 4}h3v8h-3zM${x + 1} ${y - 4}h3v8h-3z`} fill={fill} />;
    case "step":
      return <path d={`M${x - 1} ${y - 5}h2v10h-2z`} fill={fill} />;
    default:
      return <path d={`M${x - 3.5} ${y - 3.5}h7v7h-7z`} fill={fill} />;
  }
}
