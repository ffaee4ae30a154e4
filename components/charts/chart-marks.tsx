import type { Domain } from "#components/charts/chart-scale.ts";
import type { Plot } from "#components/charts/plot.ts";
import type { RunMark } from "#lib/contract/analysis-run.ts";

export type ChartMark = { atMs: number; kind: RunMark["kind"]; text: string; did: string | null };
export type EarlierLine = { uid: string; stretches: readonly { atMs: number; low: number; high: number }[] };

/** The context of a chart's measurements: events, and the measurements of earlier runs. */
export type ChartSurroundings = {
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

/** Draws the sign of an event. Kinds differ by their outlines, without colour. */
export function MarkSign({ x, y, kind }: { x: number; y: number; kind: ChartMark["kind"] }) {
  return <path d={outlineOf(kind, x, y)} fill={`var(--gh-${colors[kind] ?? "slate-mark"})`} />;
}

const colors: Partial<Record<ChartMark["kind"], string>> = { person: "accent-text", abort: "red-mark" };

function outlineOf(kind: ChartMark["kind"], x: number, y: number): string {
  switch (kind) {
    case "person":
      return `M${x - 5} ${y - 5}h10l-5 9z`;
    case "pause":
      return `M${x - 4} ${y - 4}h3v8h-3zM${x + 1} ${y - 4}h3v8h-3z`;
    case "resume":
      return `M${x - 3} ${y - 5}l8 5l-8 5z`;
    case "retry":
      return `M${x + 3} ${y - 5}l-8 5l8 5z`;
    case "step":
      return `M${x - 1} ${y - 5}h2v10h-2z`;
    case "abort":
      return `M${x - 2} ${y - 5}h4l3 3v4l-3 3h-4l-3 -3v-4z`;
    case "revision":
      return `M${x - 4} ${y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z`;
  }
}
