import { formatGap } from "#components/ui/format-gap.ts";
import type { Gap, Measurement } from "#lib/contract/analysis-run.ts";

export type MeasurementRow = { kind: "measurement"; measurement: Measurement } | { kind: "gap"; words: string };

/**
 * Prepares the table's rows: lost measurements have a row of their own, in order. In a derived run, whose numbers are
 * those of its rounds, so have the rounds in which the metric was not evaluated: an earlier check had halted them.
 */
export function prepareMeasurementRows(
  measurements: readonly Measurement[],
  gaps: readonly Gap[],
  { isDerived = false }: { isDerived?: boolean } = {},
): MeasurementRow[] {
  const rows: MeasurementRow[] = [];
  const waiting = [...gaps].sort((one, other) => one.afterSeq - other.afterSeq);
  let next = 1;
  for (const measurement of measurements) {
    const { seq } = measurement;
    while (waiting[0] !== undefined && waiting[0].afterSeq < seq) {
      const gap = waiting.shift();
      next += gap?.count ?? 0;
      rows.push(toGapRow(gap));
    }
    if (isDerived && seq > next) rows.push({ kind: "gap", words: describeSkipped(seq - next) });
    rows.push({ kind: "measurement", measurement });
    next = seq + 1;
  }
  // A loss after the last measurement on this page belongs to the next page, unless it is next in order.
  const last = measurements.at(-1)?.seq ?? 0;
  for (const gap of waiting) if (gap.afterSeq === last) rows.push(toGapRow(gap));
  return rows;
}

function describeSkipped(count: number): string {
  const rounds = count === 1 ? "in 1 round" : `in ${count} rounds`;
  return `not evaluated ${rounds}: an earlier check had halted`;
}

function toGapRow(gap: Gap | undefined): MeasurementRow {
  return { kind: "gap", words: formatGap(gap ?? { afterSeq: 0, count: 0 }) };
}

/** Counts the measurements and, separately, those that the controller repeated. */
export function describeRecorded(
  measurements: readonly Pick<Measurement, "superseded">[],
  { recorded, hasMore }: { recorded: number; hasMore: boolean },
): string {
  const again = measurements.filter(({ superseded }) => superseded).length;
  const counted = measurements.length - again;
  const words =
    counted === recorded || !hasMore ? `${counted} recorded` : `${counted} of ${recorded} recorded are loaded`;
  return again === 0 ? words : `${words}, ${again} retaken`;
}

/** Returns why a measurement has its phase; undefined if that is its message, which has its own column. */
export function whyOf({ explanation = "", message, superseded }: Measurement): string {
  if (superseded) return "Retaken by the controller: does not count.";
  return message !== "" && explanation.endsWith(message) ? "" : explanation;
}
