import { setTimeout as sleep } from "node:timers/promises";
import type { ClientBase } from "pg";
import type { RetentionPlan } from "./plan-retention.ts";
import { plainTables } from "./retention-tables.ts";

const batchRows = 10_000;
const dropTries = 5;

type Step = {
  client: ClientBase;
  plan: RetentionPlan;
  /** Called before each step; throws if another process has taken over the run. */
  onStep(): Promise<void>;
  onDeleted(table: string, rows: number): void;
};

/**
 * Deletes what the plan found old: whole months by dropping their partition, the rest in batches, each in its own
 * transaction. Runs whose measurements are deleted are marked in the same transaction. Never deletes anything younger
 * than the plan's bounds.
 */
export async function deleteOldRows(step: Step): Promise<void> {
  const { plan } = step;
  const bound = plan.bounds.measurement;
  if (bound !== undefined) {
    for (const month of plan.wholeMonths) await dropMonth(step, { month, bound });
    await inBatches(step, "measurement", () => deleteMeasurements(step.client, bound));
  }
  for (const { table, at, id } of plainTables) {
    const tableBound = plan.bounds[table];
    if (tableBound === undefined) continue;
    await inBatches(step, table, async () => {
      const { rowCount } = await step.client.query(
        `DELETE FROM "${table}" WHERE "${id}" IN (SELECT "${id}" FROM "${table}" WHERE ${at} < $1 LIMIT ${batchRows})`,
        [tableBound],
      );
      return rowCount ?? 0;
    });
  }
}

/** Drops a month's partition. Waits at most 2 s for a lock; if a reader or a batch blocks it, retries a few times. */
async function dropMonth(step: Step, { month, bound }: { month: string; bound: Date }): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await step.onStep();
    try {
      const { rows } = await step.client.query<{ gone: string }>(
        "SELECT drop_measurement_partition($1::date, $2) AS gone",
        [month, bound],
      );
      step.onDeleted("measurement", Number(rows[0]?.gone ?? 0));
      return;
    } catch (error) {
      if (attempt >= dropTries || !isInTheWay(error)) throw error;
      await sleep(200 * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}

/** Returns whether the error is lock_not_available or deadlock_detected. */
function isInTheWay(error: unknown): boolean {
  return error instanceof Error && "code" in error && ["55P03", "40P01"].includes(String(error.code));
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
async function deleteMeasurements(client: ClientBase, bound: Date): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `WITH old AS MATERIALIZED (
       SELECT rollout_id, run_uid, metric, seq, started_at FROM measurement WHERE started_at < $1 LIMIT ${batchRows}),
     marked AS (
       UPDATE analysis_run SET measurements_expired = true
        WHERE NOT measurements_expired AND uid IN (SELECT run_uid FROM old)),
     gone AS (
       DELETE FROM measurement m USING old
        WHERE m.rollout_id = old.rollout_id AND m.run_uid = old.run_uid AND m.metric = old.metric AND m.seq = old.seq
          AND m.started_at = old.started_at AND m.started_at < $1
       RETURNING 1)
     SELECT count(*) AS count FROM gone`,
    [bound],
  );
  return Number(rows[0]?.count ?? 0);
}
