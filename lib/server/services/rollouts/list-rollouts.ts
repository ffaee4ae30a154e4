import { z } from "zod";
import type { RolloutListQuery, RolloutSummary } from "#lib/contract/rollout.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { pageOf, parseListCursor } from "#lib/server/services/list-cursor.ts";
import { readableSql } from "#lib/server/services/read-scope.ts";
import {
  accessOf,
  type RolloutRow,
  rolloutColumns,
  serializeRollout,
} from "#lib/server/services/rollouts/rollout-row.ts";
import { containsPattern, createSqlConditions } from "#lib/server/services/sql-conditions.ts";

const Key = z.tuple([z.string(), z.string(), z.uuid()]);

/** Lists the rollouts that the clusters have, by namespace and name. Deleted ones are found only by their address. */
export async function listRollouts({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: RolloutListQuery;
}): Promise<{ items: RolloutSummary[]; nextCursor: string | null }> {
  const after = parseListCursor(Key, input.cursor);
  const sql = createSqlConditions(["r.presence IN ('live', 'absent')"]);
  sql.and(readableSql(sql, ctx.actor.rights, { cluster: "r.cluster", namespace: "r.namespace", name: "r.name" }));
  sql.where(input.cluster, (value) => `r.cluster = ${value}`);
  sql.where(input.namespace, (value) => `r.namespace = ${value}`);
  sql.where(input.kind, (value) => `r.kind = ${value}`);
  sql.where(input.phase, (value) => `r.phase = ${value}`);
  if (input.attention === "any") sql.where(true, (value) => `(r.attention_reason IS NOT NULL) = ${value}`);
  else sql.where(input.attention, (value) => `r.attention_reason = ${value}`);
  sql.where(input.q === undefined || input.q === "" ? undefined : containsPattern(input.q), (value) => {
    return `(r.name ILIKE ${value} OR r.namespace ILIKE ${value})`;
  });
  sql.where(after?.[0], (namespace) => {
    return `(r.namespace, r.name, r.id) > (${namespace}, ${sql.bind(after?.[1])}, ${sql.bind(after?.[2])}::uuid)`;
  });
  const { rows } = await ctx.runtime.pool.query<RolloutRow>(
    `SELECT ${rolloutColumns} FROM rollout r WHERE ${sql.text()}
     ORDER BY r.namespace, r.name, r.id LIMIT ${sql.bind(input.limit + 1)}`,
    sql.values,
  );
  return pageOf({
    rows,
    limit: input.limit,
    keyOf: (row) => [row.namespace, row.name, row.id],
    toItem: (row) => serializeRollout(row, accessOf(ctx.runtime, row.cluster)),
  });
}
