import { type SqlBool, sql } from "kysely";
import type { Pool, PoolClient } from "pg";
import { isOfRun, type RunKey } from "#lib/server/platform/db/conditions.ts";
import { isDatabaseTrouble } from "#lib/server/platform/db/database-errors.ts";
import { secondsBefore, transactionTime } from "#lib/server/platform/db/database-time.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { isDatabaseError, readRows, write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { markPacked, packMetrics, unpackRuns } from "#lib/server/recording/kinds/packed-measurements.ts";

/** After this time, nothing is expected to be measured again. */
const overForDays = 30;
const maxRuns = 100;
/** Measurements of a batch, unless its first run has more. */
const mostMeasurements = 20_000;

/** Runs that could not be packed, by uid: they keep their rows until the next start. */
export type Unpackable = { uids: Set<string>; onError(error: unknown, runUid: string): void };

type Options = {
  /** Without it, an error ends the pass. */
  unpackable?: Unpackable;
};

/**
 * Packs the measurements of one batch of runs that have been over for long, those over for longest first. A batch is one
 * transaction. Several recorders may do this at once. Resolves with the number of runs that were worked off.
 */
export async function packDueRuns(pool: Pool, options: Options = {}, most = maxRuns): Promise<number> {
  let batch: readonly RunKey[] = [];
  try {
    await inTransaction(pool, async (tx) => {
      // Less than deadlock_timeout: if retention needs these rows, it goes first.
      await write(tx, sql`SET LOCAL lock_timeout = '500ms'`);
      const due = await selectDue(tx, options, most);
      batch = due;
      const metrics = await readMetrics(tx, due);
      batch = takeBatch(due, metrics);
      await pack(tx, batch, metrics);
    });
    return batch.length;
  } catch (error) {
    const [first] = batch;
    if (first === undefined || options.unpackable === undefined || !isOfRows(error)) throw error;
    if (batch.length > 1) return packDueRuns(pool, options, 1);
    options.unpackable.uids.add(first.uid);
    options.unpackable.onError(error, first.uid);
    return 1;
  }
}

/** Whether the rows may be at fault: not the connection, locks (40, 55), rights (42), memory (53) or a time limit (57). */
function isOfRows(error: unknown): boolean {
  return isDatabaseError(error) && !isDatabaseTrouble(error) && !/^(?:40|42|53|55|57)/.test(error.code ?? "");
}

async function pack(tx: PoolClient, runs: readonly RunKey[], metrics: readonly Metric[]): Promise<void> {
  // Retention leaves rows of a packed run, if some of its measurements are not old yet.
  await unpackRuns(tx, runs);
  const uids = new Set(runs.map(({ uid }) => uid));
  await packMetrics(
    tx,
    metrics.filter(({ run_uid: uid }) => uids.has(uid)).map(({ id }) => id),
  );
  await markPacked(tx, { runs, packed: true });
}

/** Selects and locks due runs. Repeats a part of the index `analysis_run_to_pack`. */
async function selectDue(tx: PoolClient, { unpackable }: Options, most: number): Promise<RunKey[]> {
  const excluded = [...(unpackable?.uids ?? [])];
  return readRows(
    tx,
    tables
      .selectFrom("analysis_run as a")
      .select(["a.rollout_id", "a.uid"])
      .where(({ eb, fn }) =>
        eb(fn.coalesce("a.completed_at", "a.gone_at"), "<", secondsBefore(transactionTime, overForDays * 86_400)),
      )
      .where(({ ref }) => sql<SqlBool>`NOT ${ref("a.measurements_packed")}`)
      .where(({ ref }) => sql<SqlBool>`${ref("a.uid")} <> ALL(${excluded}::text[])`)
      .orderBy(({ fn }) => fn.coalesce("a.completed_at", "a.gone_at"))
      .limit(most)
      .forNoKeyUpdate()
      .skipLocked(),
  );
}

type Metric = { id: string; run_uid: string; taken: number };

async function readMetrics(tx: PoolClient, runs: readonly RunKey[]): Promise<Metric[]> {
  if (runs.length === 0) return [];
  return readRows(
    tx,
    tables
      .selectFrom("metric")
      .select(["id", "run_uid"])
      .select(({ ref }) => sql<number>`${ref("count")}::float8 + ${ref("error")}`.as("taken"))
      .where(({ ref }) => isOfRun([ref("rollout_id"), ref("run_uid")], runs)),
  );
}

function takeBatch(due: readonly RunKey[], metrics: readonly Metric[]): RunKey[] {
  const byRun = Map.groupBy(metrics, ({ run_uid: uid }) => uid);
  let room = mostMeasurements;
  return due.filter(({ uid }, index) => {
    room -= (byRun.get(uid) ?? []).reduce((sum, { taken }) => sum + taken, 0);
    return index === 0 || room >= 0;
  });
}
