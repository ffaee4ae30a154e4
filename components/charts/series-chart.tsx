"use client";

import { useElementSize } from "@mantine/hooks";
import { computeTicks, computeValueDomain, type Domain } from "#components/charts/chart-scale.ts";
import classes from "#components/charts/charts.module.css";
import { computePlot } from "#components/charts/plot.ts";
import { computeTimeTicks } from "#components/charts/time-axis.ts";
import { formatTick } from "#components/ui/format-time.ts";

export type SeriesLine = { name: string; points: readonly { at: string; value: number | null }[] };

type SeriesChartProps = {
  label: string;
  lines: readonly SeriesLine[];
  timeDomain: Domain;
  format: (value: number) => string;
  /** Words a time of the axis; by default a clock time. */
  formatTime?: (atMs: number) => string;
};

const height = 130;
/** Lines differ in more than their colour. */
const strokes = [
  { color: "var(--gh-blue-mark)", dashes: undefined },
  { color: "var(--gh-orange-mark)", dashes: "6 3" },
  { color: "var(--gh-violet-mark)", dashes: "2 2" },
  { color: "var(--gh-green-mark)", dashes: "8 3 2 3" },
  { color: "var(--gh-amber-mark)", dashes: "10 4" },
  { color: "var(--gh-red-mark)", dashes: "1 3" },
  { color: "var(--gh-slate-mark)", dashes: "4 4" },
  { color: "var(--gh-grey-mark)", dashes: "12 2 2 2" },
] as const;

/** Draws some series over time, as thin lines. A gap stays a gap. Each line's last value is in the legend. */
export function SeriesChart({ label, lines, timeDomain, format, formatTime }: SeriesChartProps) {
  const { ref, width } = useElementSize();
  const values = lines.flatMap(({ points }) => points.flatMap(({ value }) => value ?? []));
  const valueDomain = computeValueDomain(values, []);
  const plot = computePlot({ width, timeDomain, valueDomain, labelLength: 0, height });
  const ticks = computeTicks(valueDomain).filter((_, index, all) => all.length <= 4 || index % 2 === 0);
  return (
    <figure className={classes.figure}>
      <div ref={ref} className={classes.plot}>
        {width > 0 && (
          <svg
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
            role="img"
            aria-label={summarizeLines(label, lines, format)}
          >
            {ticks.map(({ value }) => (
              <g key={value}>
                <path d={`M${plot.left} ${plot.y(value)}H${plot.right}`} stroke="var(--gh-border)" />
                <text x={plot.left - 6} y={plot.y(value) + 4} textAnchor="end">
                  {format(value)}
                </text>
              </g>
            ))}
            {computeTimeTicks(timeDomain, plot.right - plot.left).map((at) => (
              <text key={at} x={plot.x(at)} y={height - 6} textAnchor="middle">
                {formatTime?.(at) ?? formatTick(at, timeDomain[1] - timeDomain[0])}
              </text>
            ))}
            {lines.map(({ name, points }, index) => (
              <path
                key={name}
                d={toPath(points, plot)}
                fill="none"
                stroke={strokeOf(index).color}
                strokeWidth="1.5"
                strokeLinecap="round"
                strokeDasharray={strokeOf(index).dashes}
              />
            ))}
          </svg>
        )}
      </div>
      <figcaption className={classes.legend}>
        {lines.map(({ name, points }, index) => (
          <span key={name}>
            <svg width="22" height="8" aria-hidden="true">
              <path
                d="M0 4H22"
                stroke={strokeOf(index).color}
                strokeWidth="2"
                strokeDasharray={strokeOf(index).dashes}
              />
            </svg>{" "}
            {name === "" ? "now" : <bdi>{name}</bdi>} {describeLast(points, format)}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function strokeOf(index: number) {
  return strokes[index % strokes.length] ?? strokes[0];
}

function describeLast(points: SeriesLine["points"], format: (value: number) => string): string {
  const last = points.at(-1)?.value ?? null;
  return last === null ? "no data" : format(last);
}

function summarizeLines(label: string, lines: readonly SeriesLine[], format: (value: number) => string): string {
  const parts = lines.map(({ name, points }) => {
    const values = points.flatMap(({ value }) => value ?? []);
    const prefix = name === "" ? "" : `${name}: `;
    if (values.length === 0) return `${prefix}no data`;
    const low = values.reduce((one, other) => Math.min(one, other));
    const high = values.reduce((one, other) => Math.max(one, other));
    return `${prefix}now ${describeLast(points, format)}, from ${format(low)} to ${format(high)}`;
  });
  return `${label}. ${parts.join("; ")}`;
}

/** A single point between two gaps is a dot: a path of no length, with round ends. */
function toPath(points: SeriesLine["points"], plot: { x(at: number): number; y(value: number): number }): string {
  let path = "";
  let isOpen = false;
  for (const { at, value } of points) {
    if (value === null) {
      isOpen = false;
      continue;
    }
    const place = `${round(plot.x(Date.parse(at)))} ${round(plot.y(value))}`;
    path += isOpen ? `L${place}` : `M${place}h0`;
    isOpen = true;
  }
  return path;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
