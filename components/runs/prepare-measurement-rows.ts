import { formatGap } from "#components/ui/format-gap.ts";
import type { Gap, Measurement } from "#lib/contract/analysis-run.ts";

export type MeasurementRow = { kind: "measurement"; measurement: Measurement } | { kind: "gap"; words: string };

/** The rows of the table: what was lost has a row of its own, in its place. */
export function prepareMeasurementRows(measurements: readonly Measurement[], gaps: readonly Gap[]): MeasurementRow[] {
  const rows: MeasurementRow[] = [];
  const waiting = [...gaps].sort((one, other) => one.afterSeq - other.afterSeq);
  for (const measurement of measurements) {
    while (waiting[0] !== undefined && waiting[0].afterSeq < measurement.seq) rows.push(toGapRow(waiting.shift()));
    rows.push({ kind: "measurement", measurement });
  }
  // What was lost after the last one on this page belongs to the next page, unless it is the next one in order.
  const last = measurements.at(-1)?.seq ?? 0;
  for (const gap of waiting) if (gap.afterSeq === last) rows.push(toGapRow(gap));
  return rows;
}

function toGapRow(gap: Gap | undefined): MeasurementRow {
  return { kind: "gap", words: formatGap(gap ?? { afterSeq: 0, count: 0 }) };
}

/** How many there are, and apart from them those that the controller took again. */
export function describeRecorded(
  measurements: readonly Pick<Measurement, "superseded">[],
  { recorded, hasMore }: { recorded: number; hasMore: boolean },
): string {
  const again = measurements.filter(({ superseded }) => superseded).length;
  const counted = measurements.length - again;
  const words =
    counted === recorded || !hasMore ? `${counted} recorded` : `${counted} of ${recorded} recorded are loaded`;
  return again === 0 ? words : `${words}, ${again} taken again`;
}

/** Why a measurement has its phase; nothing where that is its message, which has a column of its own. */
export function whyOf({ explanation = "", message, superseded }: Measurement): string {
  if (superseded) return "Taken again by the controller: it does not count.";
  return message !== "" && explanation.endsWith(message) ? "" : explanation;
}
