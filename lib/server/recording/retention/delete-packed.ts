import { sql } from "kysely";
import { type Connection, readRow } from "#lib/server/platform/db/run-query.ts";
import { fragment, tableName } from "#lib/server/platform/db/tables.ts";
import { insertUnpacked } from "#lib/server/recording/kinds/packed-measurements.ts";

/** Each has up to a thousand measurements. */
const batchRows = 200;

/**
 * Deletes packed measurements that are older than the bound, in one statement that also marks their runs. Younger ones of
 * the same packed row become rows, and their runs are packed again.
 */
export async function deletePackedMeasurements(
  connection: Connection,
  bound: Date,
): Promise<{ rows: number; hasMore: boolean }> {
  const { ref } = fragment<{ p: "packed_measurement"; a: "analysis_run"; t: "metric" }>();
  const key = sql`${ref("p.metric_id")}, ${ref("p.first_seq")}`;
  const packed = sql`${tableName("packed_measurement")} p`;
  const runsOf = (metrics: string) => sql`(${ref("a.rollout_id")}, ${ref("a.uid")}) IN (
    SELECT ${ref("t.rollout_id")}, ${ref("t.run_uid")} FROM ${tableName("metric")} t
    WHERE ${ref("t.id")} IN (SELECT metric_id FROM ${sql.table(metrics)}))`;
  const deletion = sql<{ rows: string; packed: string }>`WITH gone AS (
      DELETE FROM ${packed} WHERE (${key}) IN (
        SELECT ${key} FROM ${packed} WHERE ${ref("p.started_at")} < ${bound} LIMIT ${sql.lit(batchRows)})
      RETURNING p, ${ref("p.metric_id")}
    ), kept AS (
      ${insertUnpacked(sql`u.started_at >= ${bound}`)} RETURNING metric_id
    ), marked AS (
      UPDATE ${tableName("analysis_run")} a SET
        measurements_expired = true, measurements_packed = ${ref("a.measurements_packed")} AND NOT ${runsOf("kept")}
      WHERE ${runsOf("gone")}
    )
    SELECT count(*) FILTER (WHERE u.started_at < ${bound}) AS rows, (SELECT count(*) FROM gone) AS packed
    FROM gone CROSS JOIN LATERAL unpack_measurements(gone.p) u`;
  const counted = await readRow(connection, deletion);
  return { rows: Number(counted?.rows ?? 0), hasMore: Number(counted?.packed ?? 0) === batchRows };
}
