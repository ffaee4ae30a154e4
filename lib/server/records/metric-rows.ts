import { isOfRun, type RunKey } from "#lib/server/platform/db/conditions.ts";
import type { MeasurementGap } from "#lib/server/platform/db/generated/client.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";

const selectCounters = tables
  .selectFrom("metric as t")
  .select([
    "t.id",
    "t.run_uid",
    "t.name",
    "t.phase",
    "t.message",
    "t.dry_run",
    "t.provider",
    "t.query",
    "t.inconsistent",
  ])
  .select(["t.count", "t.successful", "t.failed", "t.inconclusive", "t.error"])
  .select(["t.consecutive_error", "t.consecutive_success"])
  .orderBy("t.run_uid")
  .orderBy("t.ord")
  .orderBy("t.name");

const selectMetrics = selectCounters
  .select("t.metadata")
  .crossJoinLateral(({ selectFrom }) =>
    selectFrom("recorded_measurement as m")
      .select(({ eb }) => [
        countRows(eb("m.superseded", "=", false)).as("recorded"),
        countRows(eb("m.superseded", "=", true)).as("taken_again"),
      ])
      .whereRef("m.metric_id", "=", "t.id")
      .as("measured"),
  )
  .select(["measured.recorded", "measured.taken_again"]);

export type StoredMetric = RowOf<typeof selectCounters>;
/** A metric as the controller counted it. */
export type CounterRow = Omit<StoredMetric, "id">;
export type MetricRow = RowOf<typeof selectMetrics>;

/** Reads the metrics of some runs in the order of their spec. */
export async function readCounters({ pool }: Runtime, runs: readonly RunKey[]): Promise<StoredMetric[]> {
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

export type Gap = Pick<MeasurementGap, "afterSeq" | "count" | "open"> & { metric: string };

export async function readGaps({ pool }: Runtime, run: RunKey): Promise<Gap[]> {
  const gaps = await prismaOn(pool).measurementGap.findMany({
    where: { metric: { rolloutId: run.rollout_id, runUid: run.uid } },
    orderBy: [{ metric: { name: "asc" } }, { afterSeq: "asc" }],
    select: { metric: { select: { name: true } }, afterSeq: true, count: true, open: true },
  });
  return gaps.map(({ metric: { name: metric }, ...gap }) => ({ metric, ...gap }));
}
