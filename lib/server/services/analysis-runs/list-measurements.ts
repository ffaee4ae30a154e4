import { z } from "zod";
import type { Measurement, MeasurementQuery, ParsedValue } from "#lib/contract/analysis-run.ts";
import { computeDurationSeconds } from "#lib/domain/delivery/compute-duration.ts";
import { ServiceError } from "#lib/server/actor/service-error.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { decimateMeasurements } from "#lib/server/services/analysis-runs/decimate-measurements.ts";
import { explainMeasurements } from "#lib/server/services/analysis-runs/explain-measurements.ts";
import { asPhase, runPlace } from "#lib/server/services/analysis-runs/run-row.ts";
import { DatabaseInt, DatabaseTime, pageOf, parseListCursor } from "#lib/server/services/list-cursor.ts";
import { readableSql } from "#lib/server/services/read-scope.ts";
import { createSqlConditions } from "#lib/server/services/sql-conditions.ts";

const Key = z.tuple([z.string(), DatabaseInt, DatabaseTime]);
/** A longer run is paged; drawing it would need fewer points anyway. */
const maxDecimated = 200_000;

type MeasurementRow = {
  metric: string;
  seq: number;
  started_at: Date;
  started_key: string;
  finished_at: Date | null;
  phase: string;
  value: string | null;
  parsed_kind: ParsedValue["kind"];
  parsed: number | null;
  message: string;
  superseded: boolean;
};

const measurementColumns = `m.metric, m.seq, m.started_at, m.started_at::text AS started_key, m.finished_at,
  m.phase, m.value, m.parsed_kind, m.parsed, m.message, m.superseded`;

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
  const sql = createSqlConditions();
  sql.where(run.rollout_id, (value) => `m.rollout_id = ${value}`);
  sql.where(input.uid, (value) => `m.run_uid = ${value}`);
  sql.where(input.metric, (value) => `m.metric = ${value}`);
  const after = input.points === undefined ? parseListCursor(Key, input.cursor) : undefined;
  sql.where(after?.[0], (metric) => {
    return `(m.metric, m.seq, m.started_at) > (${metric}, ${sql.bind(after?.[1])}::int, ${sql.bind(after?.[2])}::timestamptz)`;
  });
  if (input.points !== undefined) sql.and("NOT m.superseded");
  const limit = input.points === undefined ? input.limit : maxDecimated;
  const { rows } = await runtime.pool.query<MeasurementRow>(
    `SELECT ${measurementColumns} FROM measurement m WHERE ${sql.text()}
     ORDER BY m.metric, m.seq, m.started_at LIMIT ${sql.bind(limit + 1)}`,
    sql.values,
  );
  const page = pageOf({
    rows,
    limit,
    keyOf: (row) => [row.metric, row.seq, row.started_key],
    toItem: serializeMeasurement,
  });
  const { points } = input;
  const items = points === undefined ? page.items : decimateMeasurements({ measurements: page.items, points });
  return {
    items: await explainMeasurements(ctx, items, run.spec),
    nextCursor: points === undefined ? page.nextCursor : null,
  };
}

function serializeMeasurement(row: MeasurementRow): Measurement {
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

async function findRun(
  { runtime, actor }: ServiceContext,
  uid: string,
): Promise<{ rollout_id: string; spec: unknown }> {
  const sql = createSqlConditions();
  sql.where(uid, (value) => `a.uid = ${value}`);
  sql.and(readableSql(sql, actor.rights, runPlace));
  const { rows } = await runtime.pool.query<{ rollout_id: string; spec: unknown }>(
    `SELECT a.rollout_id, a.spec FROM analysis_run a LEFT JOIN rollout r ON r.id = a.rollout_id WHERE ${sql.text()}`,
    sql.values,
  );
  const [row] = rows;
  if (row === undefined) throw new ServiceError("not_found", `There is no analysis run ${uid}.`);
  return row;
}
