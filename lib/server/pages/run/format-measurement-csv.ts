import type { Measurement } from "#lib/contract/analysis-run.ts";
import { formatCsvCell } from "#lib/util/format-csv-cell.ts";

export const measurementCsvHeader =
  "metric,number,phase,started,finished,offset_seconds,value_as_received,value,counts,message,metadata";

/**
 * Formats one measurement as a line, with the columns of `measurementCsvHeader`. The offset is from the start of the
 * run to the end of the measurement, or to its start while it has none.
 */
export function formatMeasurementCsv(measurement: Measurement, runStartedAt: string | null): string {
  const { metric, seq, phase, startedAt, finishedAt, value, parsed, superseded, message, metadata } = measurement;
  const offsetMs = runStartedAt === null ? undefined : Date.parse(finishedAt ?? startedAt) - Date.parse(runStartedAt);
  return [
    ...[metric, seq, phase, startedAt, finishedAt ?? undefined],
    ...[offsetMs === undefined ? undefined : offsetMs / 1000, value ?? undefined, parsed.number],
    ...[superseded ? "no" : "yes", message, metadata === undefined ? undefined : JSON.stringify(metadata)],
  ]
    .map(formatCsvCell)
    .join(",");
}
