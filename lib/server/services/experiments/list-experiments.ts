import { z } from "zod";
import type { ExperimentListQuery, ExperimentSummary } from "#lib/contract/experiment.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import {
  type ExperimentRow,
  experimentColumns,
  experimentPlace,
  serializeExperiment,
} from "#lib/server/services/experiments/experiment-row.ts";
import { DatabaseTime, pageOf, parseListCursor } from "#lib/server/services/list-cursor.ts";
import { readableSql } from "#lib/server/services/read-scope.ts";
import { containsPattern, createSqlConditions } from "#lib/server/services/sql-conditions.ts";

const Key = z.tuple([DatabaseTime, z.string()]);

/** Lists Experiments of all clusters, live and past, newest first. */
export async function listExperiments({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: ExperimentListQuery;
}): Promise<{ items: ExperimentSummary[]; nextCursor: string | null }> {
  const after = parseListCursor(Key, input.cursor);
  const sql = createSqlConditions();
  sql.and(readableSql(sql, ctx.actor.rights, experimentPlace));
  sql.where(input.cluster, (value) => `e.cluster = ${value}`);
  sql.where(input.namespace, (value) => `e.namespace = ${value}`);
  sql.where(input.rollout, (value) => `COALESCE(r.name, e.owner_name) = ${value}`);
  sql.where(input.phase, (value) => `e.phase = ${value}`);
  sql.where(input.q === undefined || input.q === "" ? undefined : containsPattern(input.q), (value) => {
    return `(e.name ILIKE ${value} OR e.namespace ILIKE ${value} OR r.name ILIKE ${value})`;
  });
  sql.where(after?.[0], (time) => {
    const uid = sql.bind(after?.[1]);
    return `e.created_at <= ${time}::timestamptz AND (e.created_at < ${time}::timestamptz OR e.uid > ${uid})`;
  });
  const { rows } = await ctx.runtime.pool.query<ExperimentRow>(
    `SELECT ${experimentColumns} FROM experiment e LEFT JOIN rollout r ON r.id = e.rollout_id WHERE ${sql.text()}
     ORDER BY e.created_at DESC, e.uid LIMIT ${sql.bind(input.limit + 1)}`,
    sql.values,
  );
  return pageOf({ rows, limit: input.limit, keyOf: (row) => [row.created_key, row.uid], toItem: serializeExperiment });
}
