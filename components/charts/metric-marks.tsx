import type { Domain } from "#components/charts/chart-scale.ts";
import type { Plot } from "#components/charts/plot.ts";
import { PointCloud } from "#components/charts/point-shape.tsx";
import type { ChartPoint, MetricChart } from "#components/charts/prepare-metric-chart.ts";
import type { ChartThreshold, LimitMark } from "#components/charts/prepare-thresholds.ts";
import { wordUse, writePips } from "#components/ui/pips.tsx";

type MetricMarksProps = { chart: MetricChart; plot: Plot; timeDomain: Domain };

/** Draws the layer above the line: points, marks at the bottom edge, labels, and the point that reached a limit. */
export function MetricMarks({ chart, plot, timeDomain }: MetricMarksProps) {
  const { gaps, thresholds, limitMark } = chart;
  const points = chart.points.filter(({ atMs }) => atMs >= timeDomain[0] && atMs <= timeDomain[1]);
  const size = pointSize(points.length);
  const drawn = points.map((point) => ({ x: plot.x(point.atMs), y: placeOf(point, plot) }));
  const labels = placeLabels(plot, thresholds, drawn);
  const taken = plot.hasInnerLabels ? labels.flatMap(coverOf) : [];
  const limitPoint = limitMark === undefined ? undefined : points.find(({ seq }) => seq === limitMark.seq);
  return (
    <g>
      {gaps.map(({ fromMs, toMs, words }) => {
        const [from, to] = [Math.max(fromMs, timeDomain[0]), Math.min(toMs, timeDomain[1])];
        return from > to ? null : (
          <text key={fromMs} {...placeWords(plot, plot.x((from + to) / 2), words)} y={plot.top + 10} data-tone="mark">
            {words}
          </text>
        );
      })}
      {limitMark !== undefined && limitPoint !== undefined && (
        <LimitFlag mark={limitMark} point={limitPoint} points={points} plot={plot} taken={taken} />
      )}
      {labels.map(({ place, label, labelAt, condition, isOffScale, value, operator, text }) => (
        <text
          key={`${condition} ${operator} ${text}`}
          {...place}
          data-tone={condition}
          data-inner={plot.hasInnerLabels || undefined}
        >
          {label}
          {isOffScale && (value > labelAt ? " ↑" : " ↓")}
        </text>
      ))}
      {[...Map.groupBy(points, ({ phase }) => phase)].sort(byConcern).map(([phase, own]) => (
        <PointCloud
          key={phase}
          places={own.map((point) => ({ x: plot.x(point.atMs), y: placeOf(point, plot) }))}
          phase={phase}
          size={size}
        />
      ))}
      {listWords(points, plot).map(({ seq, atMs, word }) => (
        <text key={`${seq} ${atMs}`} x={plot.x(atMs)} y={plot.bottom - 14} textAnchor="middle" data-tone="mark">
          {word}
        </text>
      ))}
    </g>
  );
}

type LabelPlace = { x: number; y: number; textAnchor: "start" | "end" };

type Spot = { x: number; y: number };

/** Places the labels of limits, each clear of the points and of the labels before it. */
function placeLabels(
  plot: Plot,
  thresholds: readonly ChartThreshold[],
  points: readonly Spot[],
): (ChartThreshold & { place: LabelPlace })[] {
  const placed: (ChartThreshold & { place: LabelPlace })[] = [];
  for (const threshold of thresholds) {
    const place = placeLabel(plot, threshold, [...points, ...placed.flatMap(coverOf)]);
    placed.push({ ...threshold, place });
  }
  return placed;
}

/** Between two places on a line where a label is tried, in px. */
const slide = 12;

/**
 * Places a label beside the end of its line. On a narrow chart it is inside the plot, above or below its line: at the
 * left end, else at the right one, else between them, where no point is; never above the top edge. If points are
 * everywhere, it is as far from the nearest one as it can be.
 */
export function placeLabel(
  plot: Plot,
  { label, labelAt }: Pick<ChartThreshold, "label" | "labelAt">,
  points: readonly Spot[],
): LabelPlace {
  const line = plot.y(labelAt);
  if (!plot.hasInnerLabels) return { x: plot.right + 6, y: line + 4, textAnchor: "start" };
  const [above, below] = [line - 4, line + 12];
  const heights = line - 14 < plot.top ? [below] : line + 14 > plot.bottom ? [above] : [above, below];
  const [first, last] = [plot.left + 4, plot.right - 4];
  const room = last - widthOf(label) - first;
  const between = Array.from({ length: Math.max(0, Math.floor(room / slide)) }, (_, at) => first + (at + 1) * slide);
  const places = [
    ...heights.map((y): LabelPlace => ({ x: first, y, textAnchor: "start" })),
    ...heights.map((y): LabelPlace => ({ x: last, y, textAnchor: "end" })),
    ...between.flatMap((x) => heights.map((y): LabelPlace => ({ x, y, textAnchor: "start" }))),
  ];
  const clearances = places.map((place) => clearanceOf(place, label, points));
  const free = clearances.findIndex((clearance) => clearance > pointClearance);
  const best = free >= 0 ? free : clearances.indexOf(Math.max(...clearances));
  return places[best] ?? { x: first, y: above, textAnchor: "start" };
}

/** A point's radius and the halo of a label. */
const pointClearance = 7;

/** Returns the distance between a label's box and the nearest point, along the axis on which they are further apart. */
function clearanceOf(place: LabelPlace, label: string, points: readonly Spot[]): number {
  const [from, to] = extentOf(place, label);
  const distances = points.map(({ x, y }) => Math.max(from - x, x - to, place.y - capHeight - y, y - place.y));
  return distances.reduce((least, distance) => Math.min(least, distance), Number.POSITIVE_INFINITY);
}

const capHeight = 9;

function coverOf({ place, label }: { place: LabelPlace; label: string }): Spot[] {
  const [from, to] = extentOf(place, label);
  return [from, (from + to) / 2, to].map((x) => ({ x, y: place.y - 4 }));
}

/** Returns where a label begins and ends. */
function extentOf({ x, textAnchor }: LabelPlace, label: string): [number, number] {
  return textAnchor === "end" ? [x - widthOf(label), x] : [x, x + widthOf(label)];
}

/** With room for an arrow. */
function widthOf(label: string): number {
  return (label.length + 2) * halfCharacter * 2;
}

type LimitFlagProps = {
  mark: LimitMark;
  point: ChartPoint;
  points: readonly ChartPoint[];
  plot: Plot;
  /** Places that labels take. */
  taken: readonly { x: number; y: number }[];
};

/** Marks the measurement that exceeded a limit, with the count and the limit. */
function LimitFlag({ mark, point, points, plot, taken }: LimitFlagProps) {
  const { what, used, limit } = mark;
  const x = plot.x(point.atMs);
  const pips = writePips({ used, limit });
  const use = `${pips === undefined ? "" : `${pips} `}${wordUse(mark)}`;
  const words = pickFitting([`limit exceeded here: ${use}`, wordUse(mark), `${used} ${what}`], plot, x);
  const y = placeOf(point, plot);
  const others = points.filter((other) => other !== point);
  const { isLow, ...label } = placeFlag(plot, {
    ...{ x, y, words },
    others: [...others.map((other) => ({ x: plot.x(other.atMs), y: placeOf(other, plot) })), ...taken],
  });
  return (
    <g data-mark="limit">
      <path d={`M${x} ${isLow ? plot.bottom : plot.top}V${y}`} stroke="var(--mantine-color-text)" strokeWidth={1} />
      <circle cx={x} cy={y} r={9} fill="none" stroke="var(--mantine-color-text)" />
      <text {...label} data-tone="flag">
        {words}
      </text>
    </g>
  );
}

export function pointSize(count: number): number {
  if (count > 200) return 2.5;
  return count > 80 ? 3.5 : 5;
}

/** A point without a value is a mark at the bottom edge. */
export function placeOf({ value }: Pick<ChartPoint, "value">, plot: Plot): number {
  const y = value === undefined ? Number.NaN : plot.y(value);
  return Number.isFinite(y) ? y : plot.bottom - 5;
}

const halfCharacter = 3.2;

type Placed = { x: number; textAnchor: "start" | "middle" | "end" };

/** Centers words above what they name, or moves them inside the edge that they would cross. */
function placeWords(plot: Plot, x: number, words: string): Placed {
  const half = words.length * halfCharacter;
  if (x - half < plot.left + 4) return { x: plot.left + 4, textAnchor: "start" };
  if (x + half > plot.right - 4) return { x: plot.right - 4, textAnchor: "end" };
  return { x, textAnchor: "middle" };
}

/** Returns the first words that fit on either side of a place; the last if none do. */
function pickFitting(choices: readonly [string, ...string[]], plot: Plot, x: number): string {
  const room = Math.max(x - plot.left, plot.right - x) - 8;
  return choices.find((words) => words.length * halfCharacter * 2 <= room) ?? choices.at(-1) ?? choices[0];
}

type FlagPlace = Placed & { y: number; isLow: boolean };

type Flag = { x: number; y: number; words: string; others: readonly { x: number; y: number }[] };

/**
 * Places words to the left of the line to a point, beside the points that led to it, or to its right if there is no
 * room; at the bottom of the plot instead of its top if they would cover a point on both sides.
 */
export function placeFlag(plot: Plot, { x, y, words, others }: Flag): FlagPlace {
  const width = words.length * halfCharacter * 2;
  const placeAt = (isLow: boolean, isLeft: boolean): FlagPlace => {
    const at = isLow ? plot.bottom - 5 : plot.top + 11;
    // Near the point, the words keep clear of its ring too.
    const clear = Math.abs(y - at) < 18 ? 13 : 5;
    return { x: isLeft ? x - clear : x + clear, textAnchor: isLeft ? "end" : "start", y: at, isLow };
  };
  const hasRoom = (isLeft: boolean) => (isLeft ? x - width > plot.left : x + width + 13 < plot.right);
  const sides = [true, false].filter(hasRoom);
  const places = [false, true].flatMap((isLow) => sides.map((isLeft) => placeAt(isLow, isLeft)));
  const isFree = (place: FlagPlace) => {
    const from = place.textAnchor === "end" ? place.x - width : place.x;
    return !others.some(
      (other) => other.x > from - 6 && other.x < from + width + 6 && other.y > place.y - 16 && other.y < place.y + 8,
    );
  };
  return places.find(isFree) ?? placeAt(false, hasRoom(true));
}

/** Sorts successful measurements first, so that they are drawn below all others. */
function byConcern([one]: [ChartPoint["phase"], unknown], [other]: [ChartPoint["phase"], unknown]): number {
  return Number(one !== "Successful") - Number(other !== "Successful");
}

/** Lists the points whose word is written: in a crowd of the same word, only the first. */
function listWords(points: readonly ChartPoint[], plot: Plot): ChartPoint[] {
  const unplotted = points.filter(({ value }) => value === undefined);
  return unplotted.filter((point, index) => {
    const before = unplotted[index - 1];
    return before === undefined || before.word !== point.word || plot.x(point.atMs) - plot.x(before.atMs) > 46;
  });
}
