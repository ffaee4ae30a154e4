"use client";

import { useElementSize } from "@mantine/hooks";
import { useMemo } from "react";
import { computeTicks, computeValueDomain, type Domain } from "#components/charts/chart-scale.ts";
import classes from "#components/charts/charts.module.css";
import { formatDifference } from "#components/charts/format-difference.ts";
import { computePlot } from "#components/charts/plot.ts";
import { type Difference, prepareDifference } from "#components/charts/prepare-difference.ts";
import { drawLine } from "#components/charts/series-path.ts";
import { useCursorTime } from "#components/charts/use-chart-cursor.ts";

type DifferenceChartProps = {
  /** Names the difference: `candidate minus baseline`. */
  label: string;
  own: readonly { atMs: number; value: number | undefined }[];
  other: readonly { atMs: number; value: number | undefined }[];
  timeDomain: Domain;
  labelLength: number;
  unit: string | null;
};

const height = 84;

/** Shows the difference of two series over time, with the band of its middle half, below the chart of both. */
export function DifferenceChart({ label, own, other, timeDomain, labelLength, unit }: DifferenceChartProps) {
  const { ref, width } = useElementSize();
  const difference = useMemo(() => prepareDifference(own, other), [own, other]);
  const values = difference.rows.flatMap(({ value }) => value ?? []);
  if (values.length === 0) return null;
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.legend}>
        <span>
          <bdi>{label}</bdi>: {describeDifference(difference, unit)}
        </span>
      </figcaption>
      <div ref={ref} className={classes.plot} style={{ height }}>
        {width > 0 && (
          <DifferencePlot
            difference={difference}
            valueDomain={computeValueDomain([...values, 0], [])}
            width={width}
            timeDomain={timeDomain}
            labelLength={labelLength}
          />
        )}
      </div>
    </figure>
  );
}

type DifferencePlotProps = Pick<DifferenceChartProps, "timeDomain" | "labelLength"> & {
  difference: Difference;
  valueDomain: Domain;
  width: number;
};

function DifferencePlot({ difference, valueDomain, width, timeDomain, labelLength }: DifferencePlotProps) {
  const cursorMs = useCursorTime();
  const plot = computePlot({ width, timeDomain, valueDomain, labelLength, height: height + 18 });
  const { left, right, top, bottom } = plot;
  const { middle, rows } = difference;
  const inView = rows.filter(({ atMs }) => atMs >= timeDomain[0] && atMs <= timeDomain[1]);
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {middle !== undefined && (
        <rect
          x={left}
          y={plot.y(middle.band[1])}
          width={right - left}
          height={Math.max(1, plot.y(middle.band[0]) - plot.y(middle.band[1]))}
          fill="var(--gh-slate-mark)"
          fillOpacity={0.16}
        />
      )}
      {computeTicks(valueDomain)
        .filter((_, index, all) => all.length <= 4 || index % 2 === 0)
        .map(({ value, text }) => (
          <text key={value} x={left - 6} y={plot.y(value) + 4} textAnchor="end">
            {value > 0 ? `+${text}` : text.replace("-", "\u2212")}
          </text>
        ))}
      <path d={`M${left} ${plot.y(0)}H${right}`} stroke="var(--gh-border-strong)" />
      <path d={drawLine(inView, plot)} fill="none" stroke="var(--mantine-primary-color-filled)" strokeWidth={1.5} />
      {inView.map(({ atMs, value }) =>
        value === null ? null : (
          <circle key={atMs} cx={plot.x(atMs)} cy={plot.y(value)} r={2.5} fill="var(--mantine-primary-color-filled)" />
        ),
      )}
      {cursorMs !== undefined && cursorMs >= timeDomain[0] && cursorMs <= timeDomain[1] && (
        <path d={`M${plot.x(cursorMs)} ${top}V${bottom}`} stroke="var(--gh-border-strong)" strokeDasharray="2 3" />
      )}
    </svg>
  );
}

function describeDifference({ rows, middle }: Difference, unit: string | null): string {
  const inUnit = unit === null ? "" : `\u2009${unit}`;
  const last = rows.findLast(({ value }) => value !== null)?.value ?? null;
  const newest = last === null ? "unknown" : `${formatDifference(last)}${inUnit} at the end`;
  if (middle === undefined) return newest;
  const [low, high] = middle.band.map(formatDifference);
  return `${newest}, median ${formatDifference(middle.median)}${inUnit}, the middle half from ${low} to ${high}`;
}
