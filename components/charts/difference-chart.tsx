"use client";

import { useMemo } from "react";
import { DefaultZIndexes, ReferenceArea, ReferenceLine, ZIndexLayer } from "recharts";
import { ChartFrame, ChartLine, CursorLine } from "#components/charts/chart-frame.tsx";
import { computeTicksIn, computeValueDomain, type Domain } from "#components/charts/chart-scale.ts";
import classes from "#components/charts/charts.module.css";
import { computePlot } from "#components/charts/plot.ts";
import { type Difference, formatDifference, prepareDifference } from "#components/charts/prepare-difference.ts";
import { useWidth } from "#components/charts/use-width.ts";
import { shownUnit } from "#lib/domain/units/show-value.ts";

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
  const { ref, width } = useWidth();
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
            unit={unit}
          />
        )}
      </div>
    </figure>
  );
}

type DifferencePlotProps = Pick<DifferenceChartProps, "timeDomain" | "labelLength" | "unit"> & {
  difference: Difference;
  valueDomain: Domain;
  width: number;
};

function DifferencePlot({ difference, valueDomain, width, timeDomain, labelLength, unit }: DifferencePlotProps) {
  const plot = computePlot({ width, timeDomain, valueDomain, labelLength, height, axisHeight: 4 });
  const { middle, rows } = difference;
  const inView = rows.filter(({ atMs }) => atMs >= timeDomain[0] && atMs <= timeDomain[1]);
  const ticks = computeTicksIn(unit, valueDomain)
    .filter((_, index, all) => all.length <= 4 || index % 2 === 0)
    .map(({ value, text }) => ({ value, text: value > 0 ? `+${text}` : text.replace("-", "\u2212") }));
  return (
    <>
      <ChartFrame plot={plot} timeDomain={timeDomain} valueDomain={valueDomain} ticks={ticks} isBare>
        {middle !== undefined && (
          <ReferenceArea y1={middle.band[0]} y2={middle.band[1]} fill="var(--gh-slate-mark)" fillOpacity={0.16} />
        )}
        <ReferenceLine y={0} stroke="var(--gh-border-strong)" />
        <ChartLine rows={inView} color="var(--mantine-primary-color-filled)" />
        <ZIndexLayer zIndex={DefaultZIndexes.scatter}>
          {inView.map(({ atMs, value }) =>
            value === null ? null : (
              <circle
                key={atMs}
                cx={plot.x(atMs)}
                cy={plot.y(value)}
                r={2.5}
                fill="var(--mantine-primary-color-filled)"
              />
            ),
          )}
        </ZIndexLayer>
      </ChartFrame>
      <CursorLine plot={plot} timeDomain={timeDomain} />
    </>
  );
}

function describeDifference({ rows, middle }: Difference, unit: string | null): string {
  const format = (value: number) => formatDifference(value, unit);
  // The difference of 10 % and 12 % is 2 points, not 2 %.
  const inUnit = unit === null ? "" : `\u2009${shownUnit(unit) === "%" ? "points" : unit}`;
  const last = rows.findLast(({ value }) => value !== null)?.value ?? null;
  const newest = last === null ? "unknown" : `${format(last)}${inUnit} at the end`;
  if (middle === undefined) return newest;
  const [low, high] = middle.band.map(format);
  return `${newest}, median ${format(middle.median)}${inUnit}, the middle half from ${low} to ${high}`;
}
