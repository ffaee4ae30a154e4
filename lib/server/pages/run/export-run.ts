import type { Measurement, RunExportQuery } from "#lib/contract/analysis-run.ts";
import { findMeasuredRun, type MeasuredRun } from "#lib/server/pages/run/find-measured-run.ts";
import { getRun } from "#lib/server/pages/run/get-run.ts";
import { readMeasurementPage } from "#lib/server/pages/run/read-measurement-page.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { formatCsvCell } from "#lib/util/format-csv-cell.ts";

/** Measurements in memory at once, however long the run. */
const pageSize = 500;

export type RunExport = { fileName: string; contentType: string; lines: AsyncGenerator<string> };

/**
 * Exports every recorded measurement of a run, retaken ones included, page by page. As JSON the run itself precedes
 * them, as `getRun` returns it. Throws `not_found`.
 */
export async function exportRun({ ctx, input }: Call<RunExportQuery & { uid: string }>): Promise<RunExport> {
  const run = await findMeasuredRun(ctx, input.uid);
  const name = `gatehouse-${run.name.replaceAll(/[^A-Za-z0-9._-]/g, "_")}`;
  if (input.format === "csv")
    return {
      fileName: `${name}.csv`,
      contentType: "text/csv; charset=utf-8",
      lines: writeTable(readPages(ctx, run, input.metric), run.started_at?.toISOString() ?? null),
    };
  const detail = await getRun({ ctx, input: { uid: input.uid } });
  return {
    fileName: `${name}.json`,
    contentType: "application/json",
    lines: writeDocument(readPages(ctx, run, input.metric), detail),
  };
}

type Pages = ReturnType<typeof readPages>;

async function* readPages({ runtime }: ServiceContext, run: MeasuredRun, metric: string | undefined) {
  let cursor: string | undefined;
  do {
    const page = await readMeasurementPage(runtime.pool, run, { limit: pageSize, cursor, metric });
    // A row that cannot be read is left out, as in the list.
    const items = page.items.filter((item) => item !== undefined);
    if (items.length > 0) yield items;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

async function* writeTable(pages: Pages, startedAt: string | null): AsyncGenerator<string> {
  yield `${measurementCsvHeader}\r\n`;
  for await (const page of pages)
    yield page.map((measurement) => `${formatMeasurementCsv(measurement, startedAt)}\r\n`).join("");
}

async function* writeDocument(pages: Pages, run: unknown): AsyncGenerator<string> {
  yield `{"run":${JSON.stringify(run)},\n"measurements":[`;
  let separator = "\n";
  for await (const page of pages) {
    yield page.map((measurement, index) => `${index === 0 ? separator : ",\n"}${JSON.stringify(measurement)}`).join("");
    separator = ",\n";
  }
  yield "\n]}\n";
}

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
