import { sql } from "kysely";
import type { PoolClient } from "pg";
import { endedPhases } from "#lib/domain/delivery/run-phase.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { write } from "#lib/server/platform/db/run-query.ts";
import { fragment, tableName, tables } from "#lib/server/platform/db/tables.ts";
import { type GapRow, insertGaps } from "./run-rows.ts";

const eb = fragment<{ metric: "metric" }>();

const measurements = eb.selectFrom("recorded_measurement as m").whereRef("m.metric_id", "=", "metric.id");

/** The number of the newest finished measurement, by the counters or by the stored rows. */
const lastFinished = tables.selectNoFrom(
  sql<number>`GREATEST(LEAST(${eb.ref("metric.count")}::bigint + ${eb.ref("metric.error")}, 2147483647)::int,
    ${measurements.select(({ fn }) => fn.max("m.seq").as("seq")).where("m.finished_at", "is not", null)})`.as("seq"),
);

/**
 * Inserts gaps for runs that vanished unseen before they ended. Measurements of unfinished metrics since then are lost:
 * at least the one in flight. The exact number is unknown, so the gap stays open.
 */
export async function insertOpenGaps(tx: PoolClient, uids: readonly string[]): Promise<void> {
  await write(
    tx,
    tables
      .insertInto("measurement_gap")
      .columns(["metric_id", "after_seq", "count", "open"])
      .expression((db) =>
        db
          .selectFrom("analysis_run as run")
          .innerJoin("metric", (join) =>
            join.onRef("metric.rollout_id", "=", "run.rollout_id").onRef("metric.run_uid", "=", "run.uid"),
          )
          .innerJoinLateral(lastFinished.as("last"), (join) => join.onTrue())
          .select(["metric.id", "last.seq"])
          .select(({ exists, ref }) => [
            sql<number>`${exists(
              measurements.where("m.finished_at", "is", null).where(({ eb }) => eb("m.seq", ">", ref("last.seq"))),
            )}::int`.as("count"),
            sql.lit(true).as("open"),
          ])
          .where(({ ref }) => isOneOf(ref("run.uid"), uids))
          .where("run.presence", "=", "live")
          .where("run.completed_at", "is", null)
          .where("metric.phase", "not in", [...endedPhases]),
      )
      .onConflict((conflict) => conflict.doNothing()),
  );
}

/**
 * Inserts gaps of known size. A measurement in flight whose number falls into one ended unseen: its row is deleted,
 * since the gap counts it.
 */
export async function storeGaps(tx: PoolClient, gaps: readonly GapRow[]): Promise<void> {
  if (gaps.length === 0) return;
  await insertGaps(tx, gaps);
  const given = sql`unnest(${gaps.map((gap) => gap.metric_id)}::int8[], ${gaps.map((gap) => gap.after_seq)}::int[],
    ${gaps.map((gap) => gap.count)}::int[]) AS gap (metric_id, after_seq, count)`;
  const m = fragment<{ m: "measurement" }>();
  await write(
    tx,
    sql`DELETE FROM ${tableName("measurement")} m USING ${given}
      WHERE ${m.ref("m.metric_id")} = gap.metric_id AND ${m.ref("m.finished_at")} IS NULL
        AND ${m.ref("m.seq")} > gap.after_seq AND ${m.ref("m.seq")} - gap.count <= gap.after_seq`,
  );
}

/** Deletes the gaps of runs that exist after all: their counters will show how much is lost. */
export async function deleteOpenGaps(tx: PoolClient, uids: readonly string[]): Promise<void> {
  if (uids.length === 0) return;
  const metrics = tables
    .selectFrom("analysis_run as run")
    .innerJoin("metric", (join) =>
      join.onRef("metric.rollout_id", "=", "run.rollout_id").onRef("metric.run_uid", "=", "run.uid"),
    )
    .select("metric.id")
    .where(({ ref }) => isOneOf(ref("run.uid"), uids));
  await write(tx, tables.deleteFrom("measurement_gap").where("open", "=", true).where("metric_id", "in", metrics));
}
