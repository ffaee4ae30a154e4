import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { type Connection, readRow, write } from "#lib/server/platform/db/run-query.ts";
import { fragment, tableName, tables } from "#lib/server/platform/db/tables.ts";
import { insertUnpacked } from "#lib/server/recording/kinds/packed-measurements.ts";
import type { RetentionPlan } from "./plan-retention.ts";
import { plainTables } from "./retention-tables.ts";

const batchRows = 10_000;
const dropTries = 5;

type Step = {
  client: Connection;
  plan: RetentionPlan;
  /** Called before each step; throws if another process has taken over the run. */
  onStep(): Promise<void>;
  onDeleted(table: string, rows: number): void;
};

/**
 * Deletes the rows that the plan found old: whole months by dropping their partition, the rest in batches, each in its
 * own transaction. Runs whose measurements are deleted are marked in the same transaction. Never deletes anything
 * younger than the plan's bounds.
 */
export async function deleteOldRows(step: Step): Promise<void> {
  const { plan } = step;
  const bound = plan.bounds.measurement;
  if (bound !== undefined) {
    for (const month of plan.wholeMonths) await dropMonth(step, { month, bound });
    await inBatches(step, "measurement", () => deleteMeasurements(step.client, bound));
    await deletePacked(step, bound);
  }
  for (const { table, at, id } of plainTables) {
    const tableBound = plan.bounds[table];
    if (tableBound === undefined) continue;
    const [name, age, key] = [tableName(table), sql.ref(at), sql.join(id.map((column) => sql.ref(column)))];
    const deletion = sql`DELETE FROM ${name} WHERE (${key}) IN (
      SELECT ${key} FROM ${name} WHERE ${age} < ${tableBound} LIMIT ${sql.lit(batchRows)})`;
    await inBatches(step, table, () => write(step.client, deletion));
  }
}

/** Drops a month's partition. Waits at most 2 s for a lock; if a reader or a batch blocks it, retries a few times. */
async function dropMonth(step: Step, { month, bound }: { month: string; bound: Date }): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await step.onStep();
    try {
      const dropped = await readRow(
        step.client,
        sql<{ gone: string }>`SELECT drop_measurement_partition(${month}::date, ${bound}) AS gone`,
      );
      step.onDeleted("measurement", Number(dropped?.gone ?? 0));
      return;
    } catch (error) {
      if (attempt >= dropTries || !isInTheWay(error)) throw error;
      await sleep(200 * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}

/** Returns whether the error is lock_not_available or deadlock_detected. */
export function isInTheWay(error: unknown): boolean {
  return error instanceof Error && "code" in error && ["55P03", "40P01"].includes(String(error.code));
}

async function deletePacked(step: Step, bound: Date): Promise<void> {
  for (;;) {
    await step.onStep();
    const { rows, hasMore } = await deletePackedMeasurements(step.client, bound);
    step.onDeleted("measurement", rows);
    if (!hasMore) return;
  }
}

async function inBatches(step: Step, table: string, work: () => Promise<number>): Promise<void> {
  for (;;) {
    await step.onStep();
    const rows = await work();
    step.onDeleted(table, rows);
    if (rows < batchRows) return;
  }
}

/** Deletes from every partition, in one statement, so that no row goes whose run is not marked. */
async function deleteMeasurements(connection: Connection, bound: Date): Promise<number> {
  const deletion = tables
    .with(
      (cte) => cte("old").materialized(),
      (db) =>
        db
          .selectFrom("measurement")
          .select(["metric_id", "seq", "started_at"])
          .where("started_at", "<", bound)
          .limit(sql.lit(batchRows)),
    )
    .with("marked", (db) =>
      db
        .updateTable("analysis_run")
        .set({ measurements_expired: true })
        .where("measurements_expired", "=", false)
        .where(({ eb, refTuple, selectFrom }) =>
          eb(
            refTuple("rollout_id", "uid"),
            "in",
            selectFrom("metric")
              .select(["metric.rollout_id", "metric.run_uid"])
              .where("metric.id", "in", selectFrom("old").select("old.metric_id"))
              .$asTuple("rollout_id", "run_uid"),
          ),
        ),
    )
    .with("gone", (db) =>
      db
        .deleteFrom("measurement as m")
        .using("old")
        .whereRef("m.metric_id", "=", "old.metric_id")
        .whereRef("m.seq", "=", "old.seq")
        .whereRef("m.started_at", "=", "old.started_at")
        .where("m.started_at", "<", bound)
        .returning(sql.lit(1).as("one")),
    )
    .selectFrom("gone")
    .select(({ fn }) => fn.countAll<string>().as("count"));
  return Number((await readRow(connection, deletion))?.count ?? 0);
}

/** Each has up to a thousand measurements. */
const packedBatchRows = 200;

/**
 * Deletes packed measurements that are older than the bound, in one statement that also marks their runs. Younger ones of
 * the same packed row become rows, and their runs are packed again.
 */
async function deletePackedMeasurements(
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
        SELECT ${key} FROM ${packed} WHERE ${ref("p.started_at")} < ${bound} LIMIT ${sql.lit(packedBatchRows)})
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
  return { rows: Number(counted?.rows ?? 0), hasMore: Number(counted?.packed ?? 0) === packedBatchRows };
}
