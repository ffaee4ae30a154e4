import { isOfRun, type RunKey } from "#lib/server/platform/db/conditions.ts";
import type { MeasurementGap } from "#lib/server/platform/db/generated/client.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";

const selectCounters = tables
  .selectFrom("metric as t")
  .select(["t.run_uid", "t.name", "t.phase", "t.message", "t.dry_run", "t.provider", "t.query", "t.inconsistent"])
  .select(["t.count", "t.successful", "t.failed", "t.inconclusive", "t.error"])
  .select(["t.consecutive_error", "t.consecutive_success"])
  .orderBy("t.run_uid")
  .orderBy("t.ord")
  .orderBy("t.name");

const selectMetrics = selectCounters
  .select("t.metadata")
  .crossJoinLateral(({ selectFrom }) =>
    selectFrom("measurement as m")
      .select(({ eb }) => [
        countRows(eb("m.superseded", "=", false)).as("recorded"),
        countRows(eb("m.superseded", "=", true)).as("taken_again"),
      ])
      .whereRef("m.rollout_id", "=", "t.rollout_id")
      .whereRef("m.run_uid", "=", "t.run_uid")
      .whereRef("m.metric", "=", "t.name")
      .as("measured"),
  )
  .select(["measured.recorded", "measured.taken_again"]);

/** A metric as the controller counted it. */
export type CounterRow = RowOf<typeof selectCounters>;
export type MetricRow = RowOf<typeof selectMetrics>;

/** Reads the metrics of some runs in the order of their spec. */
export async function readCounters({ pool }: Runtime, runs: readonly RunKey[]): Promise<CounterRow[]> {
  return readRows(
    pool,
    selectCounters.where(({ ref }) => isOfRun([ref("t.rollout_id"), ref("t.run_uid")], runs)),
  );
}

/** Reads the metrics of some runs in the order of their spec, with their number of stored measurements. */
export async function readMetrics({ pool }: Runtime, runs: readonly RunKey[]): Promise<MetricRow[]> {
  return readRows(
    pool,
    selectMetrics.where(({ ref }) => isOfRun([ref("t.rollout_id"), ref("t.run_uid")], runs)),
  );
}

export type Gap = Pick<MeasurementGap, "metric" | "afterSeq" | "count" | "open">;

export async function readGaps({ pool }: Runtime, run: RunKey): Promise<Gap[]> {
  return prismaOn(pool).measurementGap.findMany({
    where: { rolloutId: run.rollout_id, runUid: run.uid },
    orderBy: [{ metric: "asc" }, { afterSeq: "asc" }],
    select: { metric: true, afterSeq: true, count: true, open: true },
  });
}
