import { z } from "zod";
import type { AnalysisRunListQuery, AnalysisRunSummary } from "#lib/contract/analysis-run.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { type RunRow, runColumns, runPlace, serializeRun } from "#lib/server/services/analysis-runs/run-row.ts";
import { DatabaseTime, pageOf, parseListCursor } from "#lib/server/services/list-cursor.ts";
import { readableSql } from "#lib/server/services/read-scope.ts";
import { containsPattern, createSqlConditions } from "#lib/server/services/sql-conditions.ts";

const Key = z.tuple([DatabaseTime, z.string()]);

/** Lists analysis runs of all clusters, live and past, newest first. */
export async function listRuns({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: AnalysisRunListQuery;
}): Promise<{ items: AnalysisRunSummary[]; nextCursor: string | null }> {
  return readRuns(ctx, input);
}

export async function readRuns(
  { runtime, actor }: ServiceContext,
  filters: AnalysisRunListQuery & { rolloutIds?: string[]; ownerUid?: string },
): Promise<{ items: AnalysisRunSummary[]; nextCursor: string | null }> {
  const after = parseListCursor(Key, filters.cursor);
  const sql = createSqlConditions();
  sql.and(readableSql(sql, actor.rights, runPlace));
  sql.where(filters.rolloutIds, (value) => `a.rollout_id = ANY(${value}::uuid[])`);
  sql.where(filters.ownerUid, (value) => `a.owner_uid = ${value}`);
  sql.where(filters.cluster, (value) => `a.cluster = ${value}`);
  sql.where(filters.namespace, (value) => `a.namespace = ${value}`);
  sql.where(filters.rollout, (value) => `COALESCE(r.name, a.owner_name) = ${value}`);
  sql.where(filters.phase, (value) => `a.phase = ${value}`);
  sql.where(filters.q === undefined || filters.q === "" ? undefined : containsPattern(filters.q), (value) => {
    return `(a.name ILIKE ${value} OR a.namespace ILIKE ${value} OR r.name ILIKE ${value})`;
  });
  sql.where(after?.[0], (time) => {
    const uid = sql.bind(after?.[1]);
    return `a.created_at <= ${time}::timestamptz AND (a.created_at < ${time}::timestamptz OR a.uid > ${uid})`;
  });
  const { rows } = await runtime.pool.query<RunRow>(
    `SELECT ${runColumns} FROM analysis_run a LEFT JOIN rollout r ON r.id = a.rollout_id WHERE ${sql.text()}
     ORDER BY a.created_at DESC, a.uid LIMIT ${sql.bind(filters.limit + 1)}`,
    sql.values,
  );
  return pageOf({ rows, limit: filters.limit, keyOf: (row) => [row.created_key, row.uid], toItem: serializeRun });
}
