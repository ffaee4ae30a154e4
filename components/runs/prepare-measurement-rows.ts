import { formatGap } from "#components/ui/format-time.ts";
import type { Gap, Measurement } from "#lib/contract/analysis-run.ts";
import { shownUnit, showRecorded, withoutBrackets } from "#lib/domain/units/show-value.ts";
import { formatCsvCell } from "#lib/util/format-csv-cell.ts";
import { formatCount } from "#lib/util/words.ts";

export type MeasurementRow = { kind: "measurement"; measurement: Measurement } | { kind: "gap"; words: string };

type Shown = {
  isDerived?: boolean;
  /** The order of `measurements`, and of the rows. */
  order?: "asc" | "desc";
  /** A next page exists: losses beyond this one belong to it. */
  hasMore?: boolean;
  /** Some measurements are left out on purpose, so that a jump of the numbers means nothing. */
  isFiltered?: boolean;
};

/**
 * Prepares the table's rows: lost measurements have a row of their own, in order. In a derived run, whose numbers are
 * those of its rounds, so have the rounds in which the metric was not evaluated: an earlier check had halted them.
 */
export function prepareMeasurementRows(
  measurements: readonly Measurement[],
  gaps: readonly Gap[],
  { isDerived = false, order = "asc", hasMore = false, isFiltered = false }: Shown = {},
): MeasurementRow[] {
  const ascending = order === "asc" ? measurements : measurements.toReversed();
  const isHeadLoaded = order === "asc" || !hasMore;
  const rows: MeasurementRow[] = [];
  const waiting = selectGaps(gaps, ascending, { order, hasMore });
  let next = isHeadLoaded ? 1 : (ascending[0]?.seq ?? 1);
  for (const measurement of ascending) {
    const { seq } = measurement;
    while (waiting[0] !== undefined && waiting[0].afterSeq < seq) {
      const gap = waiting.shift();
      next += gap?.count ?? 0;
      rows.push(toGapRow(gap));
    }
    if (isDerived && !isFiltered && seq > next) rows.push({ kind: "gap", words: describeSkipped(seq - next) });
    rows.push({ kind: "measurement", measurement });
    next = seq + 1;
  }
  rows.push(...waiting.map(toGapRow));
  return order === "asc" ? rows : rows.reverse();
}

/** Returns the losses in order, without those that belong to a page that is not loaded. */
function selectGaps(
  gaps: readonly Gap[],
  ascending: readonly Measurement[],
  { order, hasMore }: Required<Pick<Shown, "order" | "hasMore">>,
): Gap[] {
  const sorted = gaps.toSorted((one, other) => one.afterSeq - other.afterSeq);
  if (!hasMore) return sorted;
  const [first, last] = [ascending[0]?.seq ?? 0, ascending.at(-1)?.seq ?? 0];
  return order === "asc"
    ? sorted.filter(({ afterSeq }) => afterSeq <= last)
    : sorted.filter(({ afterSeq, count }) => afterSeq + count + 1 >= first);
}

function describeSkipped(count: number): string {
  const rounds = count === 1 ? "in 1 round" : `in ${count} rounds`;
  return `not evaluated ${rounds}: an earlier check had halted`;
}

function toGapRow(gap: Gap | undefined): MeasurementRow {
  return { kind: "gap", words: formatGap(gap ?? { afterSeq: 0, count: 0 }) };
}

/**
 * Counts the measurements and, separately, those that the controller repeated. With `isFiltered` the list has only those
 * that are not successful.
 */
export function describeRecorded(
  measurements: readonly Pick<Measurement, "superseded">[],
  { recorded, hasMore, isFiltered = false }: { recorded: number; hasMore: boolean; isFiltered?: boolean },
): string {
  const again = measurements.filter(({ superseded }) => superseded).length;
  const counted = measurements.length - again;
  if (isFiltered)
    return `${formatCount(counted)}${hasMore ? " or more" : ""} of ${formatCount(recorded)} not successful`;
  const words =
    counted === recorded || !hasMore
      ? `${formatCount(counted)} recorded`
      : `${formatCount(counted)} of ${formatCount(recorded)} recorded are loaded`;
  return again === 0 ? words : `${words}, ${formatCount(again)} retaken`;
}

/** Returns why a measurement has its phase; undefined if that is its message, which has its own column. */
export function whyOf({ explanation = "", message, superseded }: Measurement): string {
  if (superseded) return "Retaken by the controller: does not count.";
  return message !== "" && explanation.endsWith(message) ? "" : explanation;
}

/**
 * Shortens the reason for the table, which has the value and the limits: empty if the value passes, else without the
 * value, as "neither passes (≥ 95 %) nor fails (< 90 %)."
 */
export function shortWhyOf(measurement: Measurement): string {
  const why = whyOf(measurement);
  if (measurement.phase === "Successful" && why.endsWith(", so it passes.")) return "";
  return why.replace(/^-?[\d.]+(?:\s[%a-z]{1,4})? (?=neither |[<>≤≥=≠] )/, "");
}

type Valued = Pick<Measurement, "value" | "parsed">;

/** Returns the digits of a measured number with a unit, as they are shown: a fraction in percent. Undefined for others. */
export function digitsOf({ value, parsed }: Valued, unit: string | null): string | undefined {
  if (value === null || unit === null || parsed.number === undefined) return undefined;
  return shownUnit(unit) === unit ? withoutBrackets(value) : showRecorded(String(parsed.number), unit).split(/\s/)[0];
}

/** More are not aligned: the column would be too wide. */
const mostPlaces = 8;

/** Returns the largest number of places after the point in a column of values; 0 if they are not to be aligned. */
export function countPlaces(
  measurements: readonly Pick<Measurement, "value" | "parsed">[],
  unit: string | null,
): number {
  const most = measurements.reduce((sum, each) => Math.max(sum, placesOf(digitsOf(each, unit) ?? "")), 0);
  return most > mostPlaces ? 0 : most;
}

/** Returns the spaces behind a unit that stand for missing places: the points of a column are below each other. */
export function padPlaces(digits: string, places: number): string {
  const own = placesOf(digits);
  const point = own === 0 ? 1 : 0;
  return "\u00a0".repeat(places === 0 ? 0 : Math.max(0, places - own + point));
}

function placesOf(digits: string): number {
  return /^-?\d+\.(\d+)$/.exec(digits)?.[1]?.length ?? 0;
}

/**
 * Formats rows for the clipboard as a spreadsheet takes them: cells with tabs between them. Text that it would read as a
 * formula is made harmless.
 */
export function formatForClipboard(measurements: readonly Measurement[], startedAt: string | null): string {
  const lines = measurements.map((measurement) => {
    const { seq, value, phase, startedAt: began, finishedAt, message } = measurement;
    const offset = startedAt === null ? undefined : (Date.parse(finishedAt ?? began) - Date.parse(startedAt)) / 1000;
    return [seq, offset, value ?? undefined, phase, whyOf(measurement), message, finishedAt ?? began];
  });
  const header = ["No.", "Offset (s)", "Value", "Phase", "Why", "Message", "Time"];
  return [header, ...lines].map((line) => line.map(toTabCell).join("\t")).join("\n");
}

function toTabCell(value: string | number | undefined): string {
  return formatCsvCell(typeof value === "string" ? value.replaceAll(/[\t\r\n]+/g, " ") : value);
}
