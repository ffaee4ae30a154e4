import { z } from "zod";
import type { HeldObject, HeldObjectsQuery } from "#lib/contract/system.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { pageOf, parseListCursor } from "#lib/server/services/list-cursor.ts";
import { readableSql } from "#lib/server/services/read-scope.ts";
import { createSqlConditions } from "#lib/server/services/sql-conditions.ts";

const Key = z.tuple([z.string(), z.string()]);

const heldSql = `source_hold h JOIN source s ON s.id = h.source_id CROSS JOIN jsonb_object_keys(h.objects) AS held(uid)
  LEFT JOIN LATERAL (
    SELECT r.namespace, r.name FROM rollout r WHERE r.uid = held.uid
    UNION ALL SELECT t.namespace, t.name FROM analysis_template t WHERE t.uid = held.uid LIMIT 1
  ) AS known ON true`;
const heldPlace = { cluster: "s.cluster", namespace: "known.namespace", name: "known.name" };

/** Counts how many of its held objects the actor may read, by source. */
export async function countHeldObjects({ actor, runtime }: ServiceContext): Promise<Map<string, number>> {
  const sql = createSqlConditions();
  sql.and(readableSql(sql, actor.rights, heldPlace));
  const { rows } = await runtime.pool.query<{ source: string; count: number }>(
    `SELECT h.source_id AS source, count(*)::int AS count FROM ${heldSql} WHERE ${sql.text()} GROUP BY h.source_id`,
    sql.values,
  );
  return new Map(rows.map(({ source, count }) => [source, count]));
}

/** Lists held objects that the actor may read, by source and uid. Empty if nothing is held. */
export async function listHeldObjects({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: HeldObjectsQuery;
}): Promise<{ items: HeldObject[]; nextCursor: string | null }> {
  const after = parseListCursor(Key, input.cursor);
  const sql = createSqlConditions();
  sql.where(input.source, (value) => `h.source_id = ${value}`);
  sql.where(after?.[0], (source) => `(h.source_id, held.uid) > (${source}, ${sql.bind(after?.[1])})`);
  sql.and(readableSql(sql, ctx.actor.rights, heldPlace));
  const { rows } = await ctx.runtime.pool.query<HeldObject>(
    `SELECT h.source_id AS source, held.uid, known.namespace, known.name FROM ${heldSql}
      WHERE ${sql.text()} ORDER BY h.source_id, held.uid LIMIT ${sql.bind(input.limit + 1)}`,
    sql.values,
  );
  return pageOf({
    rows,
    limit: input.limit,
    keyOf: (row) => [row.source, row.uid],
    toItem: ({ namespace, ...row }) => ({ ...row, namespace: namespace === "" ? null : namespace }),
  });
}
