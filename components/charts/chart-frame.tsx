import { CartesianGrid, ComposedChart, Line, XAxis, YAxis } from "recharts";
import { useCursorTime } from "#components/charts/chart-cursor.ts";
import type { Domain, ScaleKind, Tick } from "#components/charts/chart-scale.ts";
import classes from "#components/charts/charts.module.css";
import type { Plot } from "#components/charts/plot.ts";
import type { LineRow } from "#components/charts/prepare-metric-chart.ts";
import { computeTimeTicks, keepReadable } from "#components/charts/time-axis.ts";
import { formatTick } from "#components/ui/format-time.ts";

type ChartFrameProps = {
  plot: Plot;
  timeDomain: Domain;
  valueDomain: Domain;
  kind?: ScaleKind;
  /** Ticks of the value axis; empty for an axis without labels. */
  ticks: readonly Tick[];
  /** Leaves out the grid and the times. */
  isBare?: boolean;
  /** Describes the drawing to screen readers; without it, they skip the drawing. */
  label?: string;
  children: React.ReactNode;
};

/** The library's own grey has too little contrast on a dark page. */
const tickStyle = { fill: "var(--mantine-color-dimmed)" };

/**
 * Draws a time axis and a value axis with what is between them. The edges are those of `plot`, so that all charts of a
 * page share them and the cursor may be drawn above.
 */
export function ChartFrame(props: ChartFrameProps) {
  const { plot, timeDomain, valueDomain, kind = "linear", ticks, isBare = false, label } = props;
  const { width, height, left, right, top, bottom } = plot;
  const times = keepReadable(computeTimeTicks(timeDomain, right - left), plot, ticks);
  const texts = new Map(ticks.map(({ value, text }) => [value, text]));
  return (
    <div
      className={classes.frame}
      {...(label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label })}
    >
      <ComposedChart
        width={width}
        height={height}
        margin={{ top, right: width - right, bottom: 0, left: 0 }}
        accessibilityLayer={false}
      >
        {!isBare && ticks.length > 0 && <CartesianGrid vertical={false} syncWithTicks stroke="var(--gh-border)" />}
        <XAxis
          dataKey="atMs"
          type="number"
          domain={[...timeDomain]}
          allowDataOverflow
          height={height - bottom}
          ticks={times}
          interval={0}
          tickFormatter={(atMs: number) => formatTick(atMs, timeDomain[1] - timeDomain[0])}
          tick={!isBare && tickStyle}
          tickLine={!isBare && { stroke: "var(--gh-border-strong)" }}
          tickSize={4}
          axisLine={!isBare && { stroke: "var(--gh-border-strong)" }}
        />
        <YAxis
          type="number"
          domain={[...valueDomain]}
          allowDataOverflow
          scale={kind}
          width={left}
          interval={0}
          {...(ticks.length === 0 ? {} : { ticks: ticks.map(({ value }) => value) })}
          tickFormatter={(value: number) => texts.get(value) ?? ""}
          tick={ticks.length > 0 && tickStyle}
          tickLine={false}
          tickSize={4}
          axisLine={false}
        />
        {props.children}
      </ComposedChart>
    </div>
  );
}

type ChartLineProps = {
  rows: readonly LineRow[];
  color: string;
  dashes?: string | undefined;
  opacity?: number | string;
  /** Kind of the value axis; a logarithmic axis cannot show values that are not positive. */
  kind?: ScaleKind;
  isStepped?: boolean;
};

/** Draws a line of a chart. A null value interrupts it; a single point between two of these is a dot. */
export function ChartLine({ rows, color, dashes, opacity = 1, kind = "linear", isStepped = false }: ChartLineProps) {
  const data = kind === "linear" ? rows : rows.map((row) => (Number(row.value) > 0 ? row : { ...row, value: null }));
  return (
    <Line
      data={[...data]}
      dataKey="value"
      type={isStepped ? "stepAfter" : "linear"}
      stroke={color}
      strokeWidth={1.5}
      strokeOpacity={opacity}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...(dashes !== undefined && { strokeDasharray: dashes })}
      dot={false}
      activeDot={false}
      legendType="none"
      isAnimationActive={false}
    />
  );
}

/** Marks the cursor's time on a layer of its own, so that a moving pointer does not redraw the chart. */
export function CursorLine({ plot, timeDomain }: { plot: Plot; timeDomain: Domain }) {
  const atMs = useCursorTime();
  if (atMs === undefined || atMs < timeDomain[0] || atMs > timeDomain[1]) return null;
  return (
    <svg className={classes.overlay} width={plot.width} height={plot.height} aria-hidden="true">
      <path d={`M${plot.x(atMs)} ${plot.top}V${plot.bottom}`} stroke="var(--gh-border-strong)" strokeDasharray="2 3" />
    </svg>
  );
}
