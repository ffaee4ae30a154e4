import { memo, useId } from "react";
import { DefaultZIndexes, ReferenceArea, ReferenceLine, ZIndexLayer } from "recharts";
import { ChartFrame, ChartLine } from "#components/charts/chart-frame.tsx";
import { type ChartSurroundings, EventSigns } from "#components/charts/chart-marks.tsx";
import type { Domain } from "#components/charts/chart-scale.ts";
import { MetricMarks } from "#components/charts/metric-marks.tsx";
import type { Plot } from "#components/charts/plot.ts";
import type { LineRow, MetricChart } from "#components/charts/prepare-metric-chart.ts";
import type { ChartThreshold } from "#components/charts/prepare-thresholds.ts";
import { shownUnit } from "#lib/domain/units/show-value.ts";

/** Another series of the same metric, such as the baseline's. */
export type ComparedLine = {
  name: string;
  /** A shorter name, for when there is less room. */
  short?: string;
  line: readonly LineRow[];
};

type MetricPlotProps = {
  chart: MetricChart;
  plot: Plot;
  timeDomain: Domain;
  unit: string | null;
  surroundings: ChartSurroundings;
  compared: readonly ComparedLine[];
};

export const comparedDashes = ["5 3", "2 2", "8 3 2 3", "1 3"];

/** Draws a chart without its cursor. Not drawn again while a pointer moves. */
export const MetricPlot = memo(function MetricPlot(props: MetricPlotProps) {
  const { chart, plot, timeDomain, unit, surroundings, compared } = props;
  const { thresholds, gaps, valueDomain, kind } = chart;
  const { marks, earlier } = surroundings;
  const pattern = useId();
  return (
    <ChartFrame
      plot={plot}
      timeDomain={timeDomain}
      valueDomain={valueDomain}
      kind={kind}
      ticks={chart.ticks.map(({ value, text }) => ({
        value,
        text: unit === null ? text : `${text}\u2009${shownUnit(unit)}`,
      }))}
    >
      <defs>
        <pattern id={pattern} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0V6" stroke="var(--gh-grey-mark)" strokeWidth="1.5" />
        </pattern>
      </defs>
      {thresholds.map(({ band, condition, ...threshold }) =>
        band === undefined ? null : (
          <ReferenceArea
            key={`band ${keyOf({ condition, ...threshold })}`}
            y1={band[0]}
            y2={band[1]}
            fill={colorOf(condition)}
            fillOpacity={0.08}
          />
        ),
      )}
      {gaps.map(({ fromMs, toMs }) => (
        <ReferenceArea
          key={`gap ${fromMs}`}
          x1={fromMs}
          x2={toMs}
          ifOverflow="hidden"
          fill={`url(#${pattern})`}
          fillOpacity={0.45}
        />
      ))}
      {marks.map(({ atMs, kind: markKind, text }) => (
        <ReferenceLine
          key={`${atMs} ${markKind} ${text}`}
          x={atMs}
          stroke={markKind === "person" ? "var(--gh-accent-text)" : "var(--gh-border-strong)"}
          strokeDasharray={markKind === "person" ? "" : "1 3"}
        />
      ))}
      {earlier.map(({ uid, stretches }) => (
        <ChartLine
          key={uid}
          rows={stretches.flatMap(({ atMs, low, high }) => [
            { atMs, value: low },
            ...(low === high ? [] : [{ atMs, value: high }]),
          ])}
          color="var(--gh-grey-mark)"
          opacity="var(--earlier-opacity)"
          kind={kind}
        />
      ))}
      {thresholds.map(
        (threshold) =>
          !threshold.isOffScale && (
            <ReferenceLine
              key={keyOf(threshold)}
              y={threshold.value}
              stroke={colorOf(threshold.condition)}
              strokeWidth={1.5}
              strokeDasharray={threshold.inclusive ? "" : "5 4"}
            />
          ),
      )}
      {compared.map(({ name, line }, index) => (
        <ChartLine
          key={name}
          rows={line}
          color="var(--gh-grey-mark)"
          dashes={comparedDashes[index % comparedDashes.length]}
          kind={kind}
        />
      ))}
      <ChartLine rows={chart.line} color="var(--mantine-primary-color-filled)" kind={kind} />
      <ZIndexLayer zIndex={DefaultZIndexes.scatter}>
        <EventSigns marks={marks} plot={plot} timeDomain={timeDomain} />
        <MetricMarks chart={chart} plot={plot} timeDomain={timeDomain} />
      </ZIndexLayer>
    </ChartFrame>
  );
});

function keyOf({ condition, operator, text }: Pick<ChartThreshold, "condition" | "operator" | "text">): string {
  return `${condition} ${operator} ${text}`;
}

function colorOf(condition: ChartThreshold["condition"]): string {
  return condition === "success" ? "var(--gh-green-mark)" : "var(--gh-red-mark)";
}
