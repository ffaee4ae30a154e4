import { z } from "zod";
import type { HeldObject, HeldObjectsQuery } from "#lib/contract/system.ts";
import { pageOf, parseListCursor } from "#lib/server/services/list-cursor.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";

const Key = z.tuple([z.string(), z.string()]);

/** What sources hold back, by source and uid. Empty where nothing is held. */
export async function listHeldObjects({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: HeldObjectsQuery;
}): Promise<{ items: HeldObject[]; nextCursor: string | null }> {
  const after = parseListCursor(Key, input.cursor);
  const { rows } = await ctx.runtime.pool.query<HeldObject>(
    `SELECT h.source_id AS source, held.uid, known.namespace, known.name
       FROM source_hold h CROSS JOIN jsonb_object_keys(h.objects) AS held(uid)
       LEFT JOIN LATERAL (
         SELECT r.namespace, r.name FROM rollout r WHERE r.uid = held.uid
         UNION ALL SELECT t.namespace, t.name FROM analysis_template t WHERE t.uid = held.uid LIMIT 1
       ) AS known ON true
      WHERE ($1::text IS NULL OR h.source_id = $1) AND ($2::text IS NULL OR (h.source_id, held.uid) > ($2, $3))
      ORDER BY h.source_id, held.uid LIMIT $4`,
    [input.source ?? null, after?.[0] ?? null, after?.[1] ?? null, input.limit + 1],
  );
  return pageOf({
    rows,
    limit: input.limit,
    keyOf: (row) => [row.source, row.uid],
    toItem: ({ namespace, ...row }) => ({ ...row, namespace: namespace === "" ? null : namespace }),
  });
}
