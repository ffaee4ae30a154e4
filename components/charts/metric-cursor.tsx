import { Text } from "@mantine/core";
import { findNearest, useCursorTime, usePointedMetric, usePointedSeq } from "#components/charts/chart-cursor.ts";
import type { ChartMark } from "#components/charts/chart-marks.tsx";
import type { Domain } from "#components/charts/chart-scale.ts";
import classes from "#components/charts/charts.module.css";
import { explanationOf } from "#components/charts/describe-point.ts";
import { placeOf, pointSize } from "#components/charts/metric-marks.tsx";
import type { ComparedLine } from "#components/charts/metric-plot.tsx";
import type { Plot } from "#components/charts/plot.ts";
import { PointShape } from "#components/charts/point-shape.tsx";
import { formatDifference } from "#components/charts/prepare-difference.ts";
import type { ChartPoint, LineRow, MetricChart } from "#components/charts/prepare-metric-chart.ts";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { formatOffset, formatTick } from "#components/ui/format-time.ts";
import { RecordedValue } from "#components/ui/recorded-value.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { isNoValue, shownUnit, showValue } from "#lib/domain/units/show-value.ts";

type MetricCursorProps = {
  name: string;
  chart: MetricChart;
  plot: Plot;
  timeDomain: Domain;
  unit: string | null;
  runStartMs: number | undefined;
  compared: readonly ComparedLine[];
  marks: readonly ChartMark[];
  /** The measurement that is pointed at leads to its logs. */
  leads: boolean;
};

/** Draws the crosshair over a chart and marks its measurement of that time; the chart pointed at shows the details. */
export function MetricCursor(props: MetricCursorProps) {
  const { name, chart, plot, timeDomain } = props;
  const timeMs = useCursorTime();
  const seq = usePointedSeq(name);
  const isSource = usePointedMetric() === name;
  const point = chart.points.find((candidate) => candidate.seq === seq);
  if (timeMs === undefined) return null;
  // Rows of a table point at the time as recorded; a point may have moved within its second.
  const atMs = isSource && point !== undefined ? point.atMs : timeMs;
  if (atMs < timeDomain[0] || atMs > timeDomain[1]) return null;
  const isPointInView = point !== undefined && point.atMs >= timeDomain[0] && point.atMs <= timeDomain[1];
  return (
    <>
      <svg className={classes.overlay} width={plot.width} height={plot.height} aria-hidden="true">
        <path
          d={`M${plot.x(atMs)} ${plot.top}V${plot.bottom}`}
          stroke="var(--gh-border-strong)"
          strokeDasharray={isSource ? undefined : "2 3"}
        />
        {isPointInView && (
          <PointShape
            x={plot.x(point.atMs)}
            y={placeOf(point, plot)}
            phase={point.phase}
            isActive
            size={pointSize(chart.points.length)}
          />
        )}
      </svg>
      {isPointInView && <Details {...props} point={point} isSource={isSource} />}
    </>
  );
}

const detailsWidth = 272;

/** What is pointed at, beside the crosshair; of charts that are not pointed at, only the value. */
function Details(props: MetricCursorProps & { point: ChartPoint; isSource: boolean }) {
  const { chart, plot, point, unit, isSource, runStartMs, compared, marks, leads } = props;
  const { measurement } = point;
  const x = plot.x(point.atMs);
  const isLeft = x + detailsWidth + 16 > plot.width && x > plot.width / 2;
  const isLow = placeOf(point, plot) > (plot.top + plot.bottom) / 2;
  const place = {
    ...(isLeft ? { right: plot.width - x + 12 } : { left: x + 12 }),
    // In the other half than the point, so that it does not cover what is around it.
    ...(isLow ? { top: plot.top + 4 } : { bottom: plot.height - plot.bottom + 4 }),
  };
  const value =
    measurement.value === null || isNoValue(measurement.value) ? (point.word ?? "no value") : measurement.value;
  const isConverted = point.value !== undefined && shownUnit(unit) !== unit;
  const limits = chart.thresholds.map((threshold) => threshold.value);
  const at = measurement.finishedAt ?? measurement.startedAt;
  const why = explanationOf(measurement);
  return (
    <div
      className={classes.details}
      data-small={!isSource || undefined}
      style={{ ...place, maxWidth: Math.min(detailsWidth, plot.width * 0.7) }}
      aria-hidden="true"
    >
      <div className={classes.detailsValue}>
        <span className={classes.number}>
          {isConverted ? showValue(String(point.value), unit, limits) : <RecordedValue value={value} />}
        </span>
        {unit !== null && point.value !== undefined && (
          <span className={classes.dim}>{isConverted ? ` (${value})` : `\u2009${unit}`}</span>
        )}
        <StateBadge shown={classifyAnalysis(point.phase)} size="sm" variant="plain" />
      </div>
      {isSource && (
        <>
          <Text size="xs" c="dimmed">
            No. {point.seq}
            {runStartMs !== undefined && `, ${formatOffset(Date.parse(at), runStartMs)}`},{" "}
            {formatTick(Date.parse(at), 0)}
          </Text>
          {compared.map((other) => (
            <ComparedValue
              key={other.name}
              name={other.short ?? other.name}
              line={other.line}
              point={point}
              unit={unit}
              limits={limits}
            />
          ))}
          {why !== undefined && (
            <Text size="xs" lineClamp={4}>
              <bdi>{why}</bdi>
            </Text>
          )}
          {marks
            .filter(({ atMs }) => Math.abs(plot.x(atMs) - x) < 8)
            .slice(0, 3)
            .map(({ atMs, text }) => (
              <Text key={`${atMs} ${text}`} size="xs" lineClamp={2}>
                <bdi>{text}</bdi>
              </Text>
            ))}
          {leads && (
            <Text size="xs" c="dimmed">
              Click the point or press Enter: logs around it
            </Text>
          )}
        </>
      )}
    </div>
  );
}

type ComparedValueProps = {
  name: string;
  line: readonly LineRow[];
  point: ChartPoint;
  unit: string | null;
  limits: readonly number[];
};

function ComparedValue({ name, line, point, unit, limits }: ComparedValueProps) {
  const known = line.flatMap(({ atMs, value }) => (value === null ? [] : [{ atMs, value }]));
  const nearest = known[findNearest(known, point.atMs)];
  return (
    <Text size="xs">
      <bdi>{name}</bdi> {nearest === undefined ? "no value" : showValue(String(nearest.value), unit, limits)}
      {nearest !== undefined && point.value !== undefined && (
        <span className={classes.dim}> ({formatDifference(point.value - nearest.value, unit)})</span>
      )}
    </Text>
  );
}
