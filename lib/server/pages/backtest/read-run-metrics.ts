import type { RunToReplay } from "#lib/domain/delivery/backtest.ts";
import { endedPhases, runPhases } from "#lib/domain/delivery/run-phase.ts";
import { isOfRun } from "#lib/server/platform/db/conditions.ts";
import { type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { phaseCodes } from "#lib/server/records/measurement-codes.ts";
import type { RunRow } from "./select-backtest-runs.ts";

type Metric = RunToReplay["metrics"][number];

const selectMetrics = tables
  .selectFrom("metric as t")
  .select(["t.run_uid", "t.name", "t.phase", "t.count", "t.successful", "t.failed", "t.inconclusive", "t.error"])
  .select(["t.consecutive_error", "t.consecutive_success", "t.inconsistent"])
  .orderBy("t.run_uid")
  .orderBy("t.ord");

const selectStored = tables
  .selectFrom("metric as t")
  .innerJoin("measurement as m", "m.metric_id", "t.id")
  .select("t.run_uid as uid")
  .select((eb) => [
    ...endedPhases.map((phase) =>
      countRows(eb.and([eb("m.phase", "=", phaseCodes[phase]), eb("m.superseded", "=", false)])).as(phase),
    ),
    countRows(eb.ref("m.superseded")).as("takenAgain"),
  ])
  .groupBy("t.run_uid");
type StoredRow = RowOf<typeof selectStored>;

/** Reads the counters of all metrics of these runs. `metric` is the one that is replayed. */
export async function readRunMetrics(
  { pool }: Runtime,
  runs: readonly RunRow[],
  metric: string,
): Promise<ReadonlyMap<string, Metric[]>> {
  const [rows, stored] = await Promise.all([
    readRows(
      pool,
      selectMetrics.where(({ ref }) => isOfRun([ref("t.rollout_id"), ref("t.run_uid")], runs)),
    ),
    readStored(pool, runs, metric),
  ]);
  const byRun = new Map<string, Metric[]>();
  for (const row of rows) {
    const own = row.name === metric ? stored.get(row.run_uid) : undefined;
    byRun.set(row.run_uid, [...(byRun.get(row.run_uid) ?? []), toMetric(row, own)]);
  }
  return byRun;
}

/** Counts what is stored of the metric, only for runs of which something is missing or was retaken. */
async function readStored(pool: Runtime["pool"], runs: readonly RunRow[], metric: string) {
  const gaps = await readRows(
    pool,
    tables
      .selectFrom("measurement_gap as g")
      .innerJoin("metric as t", "t.id", "g.metric_id")
      .select("t.run_uid")
      .distinct()
      .where("t.name", "=", metric)
      .where(({ ref }) => isOfRun([ref("t.rollout_id"), ref("t.run_uid")], runs)),
  );
  const withGaps = new Set(gaps.map((gap) => gap.run_uid));
  const incomplete = runs.filter((run) => run.measurements_expired || withGaps.has(run.uid));
  if (incomplete.length === 0) return new Map<string, StoredRow>();
  const rows = await readRows(
    pool,
    selectStored
      .where("t.name", "=", metric)
      .where(({ ref }) => isOfRun([ref("t.rollout_id"), ref("t.run_uid")], incomplete)),
  );
  const none = { Successful: 0, Failed: 0, Error: 0, Inconclusive: 0, takenAgain: 0 };
  const found = new Map(rows.map((row) => [row.uid, row]));
  return new Map<string, StoredRow>(incomplete.map(({ uid }) => [uid, found.get(uid) ?? { uid, ...none }]));
}

function toMetric(row: RowOf<typeof selectMetrics>, counted: StoredRow | undefined): Metric {
  const { uid, takenAgain, ...stored } = counted ?? { uid: "", takenAgain: 0 };
  return {
    name: row.name,
    phase: runPhases.find((phase) => phase === row.phase),
    count: row.count,
    successful: row.successful,
    failed: row.failed,
    inconclusive: row.inconclusive,
    error: row.error,
    consecutiveError: row.consecutive_error,
    consecutiveSuccess: row.consecutive_success,
    isInconsistent: row.inconsistent,
    takenAgain,
    ...("Successful" in stored ? { stored } : {}),
  };
}
