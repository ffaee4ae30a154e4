import { z } from "zod";
import type { Measurement } from "#lib/contract/analysis-run.ts";
import type { MeasuredRun } from "#lib/server/pages/run/find-measured-run.ts";
import { allOf, given } from "#lib/server/platform/db/conditions.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";
import { asTime, DatabaseInt, DatabaseTime, parseListCursor, readPage } from "#lib/server/records/list-cursor.ts";
import { orderMeasurements, selectMeasurements, serializeMeasurement } from "#lib/server/records/measurement-row.ts";

const Key = z.tuple([z.string(), DatabaseInt, DatabaseTime]);

export type MeasurementPage = {
  limit: number;
  cursor?: string | undefined;
  metric?: string | undefined;
  order?: "asc" | "desc";
  only?: "unsuccessful" | undefined;
};

/**
 * Reads one page of a run's measurements by metric and seq, or in reverse. Throws `invalid_request` for a cursor that
 * this list never issued.
 */
export async function readMeasurementPage(
  connection: Connection,
  run: Pick<MeasuredRun, "uid" | "rollout_id">,
  { limit, cursor, metric, order = "asc", only }: MeasurementPage,
): Promise<{ items: Measurement[]; nextCursor: string | null }> {
  const after = parseListCursor(Key, cursor);
  const query = selectMeasurements.where((eb) =>
    allOf([
      eb("m.rollout_id", "=", run.rollout_id),
      eb("m.run_uid", "=", run.uid),
      given(metric, (name) => eb("m.metric", "=", name)),
      given(after, ([name, seq, at]) =>
        eb(
          eb.refTuple("m.metric", "m.seq", "m.started_at"),
          order === "asc" ? ">" : "<",
          eb.tuple(name, seq, asTime(at)),
        ),
      ),
      given(only, () => eb("m.phase", "<>", "Successful")),
    ]),
  );
  return readPage(connection, {
    query: orderMeasurements(query, order),
    limit,
    keyOf: (row) => [row.metric, row.seq, row.started_key],
    toItem: serializeMeasurement,
  });
}
