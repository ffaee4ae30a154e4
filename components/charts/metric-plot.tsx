import { memo, useId } from "react";
import { ChartBackground, type ChartSurroundings } from "#components/charts/chart-background.tsx";
import type { Domain } from "#components/charts/chart-scale.ts";
import { MetricMarks } from "#components/charts/metric-marks.tsx";
import type { Plot } from "#components/charts/plot.ts";
import type { LineRow, MetricChart } from "#components/charts/prepare-metric-chart.ts";
import { drawLine, drawStretches } from "#components/charts/series-path.ts";
import { computeTimeTicks } from "#components/charts/time-axis.ts";
import { formatTick } from "#components/ui/format-time.ts";

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
  const id = useId();
  const { left, right, top, bottom } = plot;
  return (
    <svg width={plot.width} height={plot.height} viewBox={`0 0 ${plot.width} ${plot.height}`} aria-hidden="true">
      <defs>
        <pattern id={`${id}gap`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0V6" stroke="var(--gh-grey-mark)" strokeWidth="1.5" />
        </pattern>
        <clipPath id={`${id}plot`}>
          <rect x={left} y={top} width={right - left} height={bottom - top} />
        </clipPath>
      </defs>
      <ChartBackground surroundings={surroundings} plot={plot} timeDomain={timeDomain} clip={`url(#${id}plot)`} />
      <g clipPath={`url(#${id}plot)`}>
        <Bands chart={chart} plot={plot} />
        {chart.gaps.map(({ fromMs, toMs }) => (
          <rect
            key={fromMs}
            x={plot.x(fromMs)}
            y={top}
            width={Math.max(0, plot.x(toMs) - plot.x(fromMs))}
            height={bottom - top}
            fill={`url(#${id}gap)`}
            fillOpacity={0.45}
          />
        ))}
      </g>
      <Axes chart={chart} plot={plot} timeDomain={timeDomain} unit={unit} />
      <g clipPath={`url(#${id}plot)`} fill="none" strokeWidth={1.5} strokeLinejoin="round">
        {surroundings.earlier.map(({ uid, stretches }) => (
          <path key={uid} d={drawStretches(stretches, plot)} stroke="var(--gh-grey-mark)" strokeOpacity={0.3} />
        ))}
        {chart.thresholds.map(
          ({ value, condition, inclusive, isOffScale, operator, text }) =>
            !isOffScale && (
              <path
                key={`${condition} ${operator} ${text}`}
                d={`M${left} ${plot.y(value)}H${right}`}
                stroke={condition === "success" ? "var(--gh-green-mark)" : "var(--gh-red-mark)"}
                strokeDasharray={inclusive ? undefined : "5 4"}
              />
            ),
        )}
        {compared.map(({ name, line }, index) => (
          <path
            key={name}
            d={drawLine(line, plot)}
            stroke="var(--gh-grey-mark)"
            strokeDasharray={comparedDashes[index % comparedDashes.length]}
          />
        ))}
        <path d={drawLine(chart.line, plot)} stroke="var(--mantine-primary-color-filled)" />
      </g>
      <MetricMarks chart={chart} plot={plot} timeDomain={timeDomain} />
    </svg>
  );
});

/** Shades the ranges that meet a condition; undecided ranges stay empty. */
function Bands({ chart, plot }: { chart: MetricChart; plot: Plot }) {
  return chart.thresholds.map(({ band, condition, operator, text }) => {
    if (band === undefined) return null;
    const [from, to] = [plot.y(band[1]), plot.y(band[0])];
    return (
      <rect
        key={`${condition} ${operator} ${text}`}
        x={plot.left}
        y={from}
        width={plot.right - plot.left}
        height={Math.max(0, to - from)}
        fill={condition === "success" ? "var(--gh-green-mark)" : "var(--gh-red-mark)"}
        fillOpacity={0.08}
      />
    );
  });
}

function Axes({ chart, plot, timeDomain, unit }: Pick<MetricPlotProps, "chart" | "plot" | "timeDomain" | "unit">) {
  const { left, right, bottom } = plot;
  return (
    <g>
      {chart.ticks.map(({ value, text }) => (
        <g key={value}>
          <path d={`M${left} ${plot.y(value)}H${right}`} stroke="var(--gh-border)" />
          <text x={left - 6} y={plot.y(value) + 4} textAnchor="end">
            {text}
            {unit !== null && `\u2009${unit}`}
          </text>
        </g>
      ))}
      <path d={`M${left} ${bottom}H${right}`} stroke="var(--gh-border-strong)" />
      {computeTimeTicks(timeDomain, right - left).map((at) => (
        <g key={at}>
          <path d={`M${plot.x(at)} ${bottom}v4`} stroke="var(--gh-border-strong)" />
          <text x={plot.x(at)} y={bottom + 16} textAnchor="middle">
            {formatTick(at, timeDomain[1] - timeDomain[0])}
          </text>
        </g>
      ))}
    </g>
  );
}
