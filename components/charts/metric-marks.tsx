import type { Plot } from "#components/charts/plot.ts";
import { PointShape } from "#components/charts/point-shape.tsx";
import type { MetricChart } from "#components/charts/prepare-metric-chart.ts";

type MetricMarksProps = { chart: MetricChart; plot: Plot; active: number };

/** Draws what is on top of the line: points, marks at the bottom edge, labels, and the cursor. */
export function MetricMarks({ chart, plot, active }: MetricMarksProps) {
  const { points, gaps, thresholds } = chart;
  const activePoint = points[active];
  const size = points.length > 200 ? 2.5 : points.length > 80 ? 3.5 : 5;
  return (
    <g>
      {activePoint !== undefined && (
        <path
          d={`M${plot.x(activePoint.atMs)} ${plot.top}V${plot.bottom}`}
          stroke="var(--gh-border-strong)"
          strokeDasharray="2 3"
        />
      )}
      {gaps.map(({ fromMs, toMs, words }) => (
        <text key={fromMs} {...placeWords(plot, (fromMs + toMs) / 2, words)} y={plot.top + 10} data-tone="mark">
          {words}
        </text>
      ))}
      {thresholds.map(({ label, labelAt, condition, isOffScale, value, operator, text }) => (
        <text key={`${condition} ${operator} ${text}`} x={plot.right + 6} y={plot.y(labelAt) + 4} data-tone={condition}>
          {label}
          {isOffScale && (value > labelAt ? " ↑" : " ↓")}
        </text>
      ))}
      {points.map((point, index) => {
        const x = plot.x(point.atMs);
        if (point.value !== undefined) {
          return (
            <PointShape
              key={keyOf(point)}
              x={x}
              y={plot.y(point.value)}
              phase={point.phase}
              isActive={index === active}
              size={size}
            />
          );
        }
        return (
          <g key={keyOf(point)}>
            <PointShape x={x} y={plot.bottom - 5} phase={point.phase} isActive={index === active} size={size} />
            {hasRoomForWord(points, index, plot) && (
              <text x={x} y={plot.bottom - 14} textAnchor="middle" data-tone="mark">
                {point.word}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}

const halfCharacter = 3.2;

/** Centers words above what they name, or moves them inside the edge that they would cross. */
function placeWords(plot: Plot, atMs: number, words: string): { x: number; textAnchor: "start" | "middle" | "end" } {
  const x = plot.x(atMs);
  const half = words.length * halfCharacter;
  if (x - half < plot.left + 4) return { x: plot.left + 4, textAnchor: "start" };
  if (x + half > plot.right - 4) return { x: plot.right - 4, textAnchor: "end" };
  return { x, textAnchor: "middle" };
}

function keyOf({ seq, atMs }: MetricChart["points"][number]): string {
  return `${seq} ${atMs}`;
}

/** Returns whether a word fits without covering another: in a crowd, only the first is labelled. */
function hasRoomForWord(points: MetricChart["points"], index: number, plot: Plot): boolean {
  const own = points[index];
  if (own === undefined) return false;
  const before = points.slice(0, index).findLast(({ value }) => value === undefined);
  return before === undefined || before.word !== own.word || plot.x(own.atMs) - plot.x(before.atMs) > 46;
}
