import { sql } from "kysely";
import { z } from "zod";
import type { ListPage } from "#lib/contract/common.ts";
import type { HeldObject, HeldObjectsQuery } from "#lib/contract/system.ts";
import type { Rights } from "#lib/domain/policy/rights.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { allOf, given } from "#lib/server/platform/db/conditions.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { pageOf, parseListCursor } from "#lib/server/records/list-cursor.ts";

const Key = z.tuple([z.string(), z.string()]);

const held = tables
  .selectFrom("source_hold as h")
  .innerJoin("source as s", "s.id", "h.source_id")
  .innerJoinLateral(
    ({ ref }) => sql<{ uid: string }>`jsonb_object_keys(${ref("h.objects")})`.as<"held">(sql`held(uid)`),
    (join) => join.onTrue(),
  )
  .leftJoinLateral(
    ({ selectFrom }) =>
      selectFrom("rollout as r")
        .select(({ cast }) => ["r.namespace", cast<string | null>("r.kind", "text").as("kind"), "r.name"])
        .whereRef("r.uid", "=", "held.uid")
        .unionAll(
          // A template belongs to no rollout: patterns of a kind do not reach it.
          selectFrom("analysis_template as t")
            .select(({ cast, lit }) => ["t.namespace", cast<string | null>(lit(null), "text").as("kind"), "t.name"])
            .whereRef("t.uid", "=", "held.uid"),
        )
        .limit(1)
        .as("known"),
    (join) => join.onTrue(),
  );

function heldFor(rights: Rights) {
  return held.where(({ ref }) => {
    const known = { namespace: ref("known.namespace"), kind: ref("known.kind"), name: ref("known.name") };
    return allOf([isReadable(rights, { cluster: ref("s.cluster"), ...known })]);
  });
}

/** Counts how many of its held objects the actor may read, by source. */
export async function countHeldObjects({ actor, runtime }: ServiceContext): Promise<Map<string, number>> {
  const rows = await readRows(
    runtime.pool,
    heldFor(actor.rights)
      .select(["h.source_id", countRows().as("count")])
      .groupBy("h.source_id"),
  );
  return new Map(rows.map(({ source_id: source, count }) => [source, count]));
}

/** Lists held objects that the actor may read, by source and uid. Empty if nothing is held. */
export async function listHeldObjects({ ctx, input }: Call<HeldObjectsQuery>): Promise<ListPage<HeldObject>> {
  const after = parseListCursor(Key, input.cursor);
  const query = heldFor(ctx.actor.rights)
    .select(["h.source_id as source", "held.uid", "known.namespace", "known.name"])
    .where((eb) =>
      allOf([
        given(input.source, (source) => eb("h.source_id", "=", source)),
        given(after, (key) => eb(eb.refTuple("h.source_id", "held.uid"), ">", eb.tuple(...key))),
      ]),
    )
    .orderBy("h.source_id")
    .orderBy("held.uid")
    .limit(input.limit + 1);
  const rows = await readRows(ctx.runtime.pool, query);
  return pageOf({
    rows,
    limit: input.limit,
    keyOf: (row) => [row.source, row.uid],
    toItem: ({ namespace, ...row }) => ({ ...row, namespace: namespace === "" ? null : namespace }),
  });
}
