import { z } from "zod";
import type { Measurement, MeasurementQuery } from "#lib/contract/analysis-run.ts";
import { computeDurationSeconds } from "#lib/domain/delivery/compute-duration.ts";
import { ServiceError } from "#lib/server/actor/service-error.ts";
import { allOf, given } from "#lib/server/db/conditions.ts";
import { type RowOf, readRow } from "#lib/server/db/run-query.ts";
import { tables } from "#lib/server/db/tables.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { decimateMeasurements } from "#lib/server/services/analysis-runs/decimate-measurements.ts";
import { explainMeasurements } from "#lib/server/services/analysis-runs/explain-measurements.ts";
import { asPhase, runPlace } from "#lib/server/services/analysis-runs/run-row.ts";
import { asTime, DatabaseInt, DatabaseTime, parseListCursor, readPage } from "#lib/server/services/list-cursor.ts";
import { isReadable } from "#lib/server/services/read-scope.ts";

const Key = z.tuple([z.string(), DatabaseInt, DatabaseTime]);
/** A longer run is paged; drawing it would need fewer points anyway. */
const maxDecimated = 200_000;

const selectMeasurements = tables
  .selectFrom("measurement as m")
  .select([
    "m.metric",
    "m.seq",
    "m.started_at",
    "m.finished_at",
    "m.phase",
    "m.value",
    "m.parsed_kind",
    "m.parsed",
    "m.message",
    "m.superseded",
  ])
  .select(({ cast }) => cast<string>("m.started_at", "text").as("started_key"))
  .orderBy("m.metric")
  .orderBy("m.seq")
  .orderBy("m.started_at");

const selectRuns = tables
  .selectFrom("analysis_run as a")
  .leftJoin("rollout as r", "r.id", "a.rollout_id")
  .select(["a.rollout_id", "a.kind", "a.spec"]);

/**
 * Lists measurements of a run by metric and seq. With `points`, returns at most that many per metric in one page,
 * keeping minima, maxima and failures, and leaving out those that were retaken. Throws `not_found`.
 */
export async function listMeasurements({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: MeasurementQuery & { uid: string };
}): Promise<{ items: Measurement[]; nextCursor: string | null }> {
  const { runtime } = ctx;
  const run = await findRun(ctx, input.uid);
  const { points } = input;
  const after = points === undefined ? parseListCursor(Key, input.cursor) : undefined;
  const limit = points === undefined ? input.limit : maxDecimated;
  const query = selectMeasurements.where((eb) =>
    allOf([
      eb("m.rollout_id", "=", run.rollout_id),
      eb("m.run_uid", "=", input.uid),
      given(input.metric, (metric) => eb("m.metric", "=", metric)),
      given(after, ([metric, seq, at]) =>
        eb(eb.refTuple("m.metric", "m.seq", "m.started_at"), ">", eb.tuple(metric, seq, asTime(at))),
      ),
      given(points, () => eb("m.superseded", "=", false)),
    ]),
  );
  const page = await readPage(runtime.pool, {
    query,
    limit,
    keyOf: (row) => [row.metric, row.seq, row.started_key],
    toItem: serializeMeasurement,
  });
  const items = points === undefined ? page.items : decimateMeasurements({ measurements: page.items, points });
  return {
    items: await explainMeasurements(ctx, items, run),
    nextCursor: points === undefined ? page.nextCursor : null,
  };
}

function serializeMeasurement(row: RowOf<typeof selectMeasurements>): Measurement {
  const hasNumber = (row.parsed_kind === "number" || row.parsed_kind === "array") && row.parsed !== null;
  return {
    metric: row.metric,
    seq: row.seq,
    startedAt: row.started_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    durationSeconds: computeDurationSeconds(row.started_at, row.finished_at),
    phase: asPhase(row.phase),
    value: row.value,
    parsed: { kind: row.parsed_kind, ...(hasNumber ? { number: row.parsed ?? undefined } : {}) },
    message: row.message,
    superseded: row.superseded,
  };
}

async function findRun({ runtime, actor }: ServiceContext, uid: string): Promise<RowOf<typeof selectRuns>> {
  const query = selectRuns.where((eb) => allOf([eb("a.uid", "=", uid), isReadable(actor.rights, runPlace)]));
  const row = await readRow(runtime.pool, query);
  if (row === undefined) throw new ServiceError("not_found", `There is no analysis run ${uid}.`);
  return row;
}
