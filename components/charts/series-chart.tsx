"use client";

import { useElementSize } from "@mantine/hooks";
import { ChartFrame, ChartLine } from "#components/charts/chart-frame.tsx";
import { computeTicks, computeValueDomain, type Domain } from "#components/charts/chart-scale.ts";
import classes from "#components/charts/charts.module.css";
import { computePlot } from "#components/charts/plot.ts";

export type SeriesLine = { name: string; points: readonly { at: string; value: number | null }[] };

type SeriesChartProps = {
  label: string;
  lines: readonly SeriesLine[];
  timeDomain: Domain;
  format: (value: number) => string;
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
export function SeriesChart({ label, lines, timeDomain, format }: SeriesChartProps) {
  const { ref, width } = useElementSize();
  const values = lines.flatMap(({ points }) => points.flatMap(({ value }) => value ?? []));
  const valueDomain = computeValueDomain(values, []);
  const plot = computePlot({ width, timeDomain, valueDomain, labelLength: 0, height });
  const ticks = computeTicks(valueDomain)
    .filter((_, index, all) => all.length <= 4 || index % 2 === 0)
    .map(({ value }) => ({ value, text: format(value) }));
  return (
    <figure className={classes.figure}>
      <div ref={ref} className={classes.plot} style={{ height }}>
        {width > 0 && (
          <ChartFrame
            plot={plot}
            timeDomain={timeDomain}
            valueDomain={valueDomain}
            ticks={ticks}
            label={summarizeLines(label, lines, format)}
          >
            {lines.map(({ name, points }, index) => (
              <ChartLine
                key={name}
                rows={points.map(({ at, value }) => ({ atMs: Date.parse(at), value }))}
                color={strokeOf(index).color}
                dashes={strokeOf(index).dashes}
              />
            ))}
          </ChartFrame>
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
