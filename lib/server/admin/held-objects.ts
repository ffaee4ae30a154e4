import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import type { ListPage } from "#lib/contract/common.ts";
import type { HeldObject, HeldObjectsQuery, ReleaseHeldRequest, Source } from "#lib/contract/system.ts";
import type { Rights } from "#lib/domain/policy/rights.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { serializeSource } from "#lib/server/clusters/sources/serialize-source.ts";
import { readSources, type SourceRow } from "#lib/server/clusters/sources/source-freshness.ts";
import { isReadable, seesCluster } from "#lib/server/people/permission/read-scope.ts";
import { requireAdmin } from "#lib/server/people/permission/require-admin.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf, given } from "#lib/server/platform/db/conditions.ts";
import { logChange } from "#lib/server/platform/db/log-change.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows } from "#lib/server/platform/db/sql-functions.ts";
import { tables, toColumn } from "#lib/server/platform/db/tables.ts";
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

/**
 * Releases a source's held objects on an admin's word. The release is stored together with its audit entry; the
 * recorder then marks the objects that were held at that moment as gone. Throws `not_found` for an unknown source and
 * `not_allowed_now` if nothing is held or a release is already pending.
 */
export async function releaseHeld({ ctx, input }: Call<ReleaseHeldRequest>): Promise<Source> {
  const { runtime } = ctx;
  const row = await readSource(ctx, input.source);
  await requireAdmin(ctx, {
    code: "source.hold-released",
    cluster: row.cluster,
    target: { id: row.id },
    reason: input.reason,
  });
  const holdId = row.hold_id;
  if (holdId === null) throw nothingHeld(row.id);
  const { cluster, kind, namespace } = row;
  await appendChange(ctx, {
    code: "source.hold-released",
    target: { id: row.id, cluster, kind, ...(namespace === "" ? {} : { namespace }) },
    reason: input.reason,
    detail: { holdId, held: row.hold_reason, objects: row.hold_count ?? 0 },
    within: async (client, { seq }) => {
      // One at a time: the audit chain's lock is held. A hold that ended or was released meanwhile does not match.
      const prisma = prismaOn(client);
      const hold = await prisma.sourceHold.findFirst({
        where: { sourceId: row.id, id: holdId },
        select: { objects: true },
      });
      const pending = await prisma.sourceRelease.count({ where: { holdId, doneAt: null } });
      if (hold === null || pending > 0) throw nothingHeld(row.id);
      await prisma.sourceRelease.createMany({
        data: {
          id: randomUUID(),
          sourceId: row.id,
          holdId,
          uids: Object.keys(hold.objects),
          reason: toColumn(input.reason),
          auditSeq: BigInt(seq),
        },
      });
      await logChange(client, { kind: "source", ref: row.id, cluster, namespace, object_kind: null, name: null });
    },
  });
  return serializeSource(await readSource(ctx, input.source), runtime.config().config.clusters);
}

async function readSource({ runtime, actor }: ServiceContext, id: string): Promise<SourceRow> {
  const row = (await readSources(runtime)).find((source) => source.id === id);
  if (row === undefined || !seesCluster(actor.rights, row.cluster))
    throw new ServiceError("not_found", `There is no source ${id}.`);
  return row;
}

function nothingHeld(id: string): ServiceError {
  return new ServiceError("not_allowed_now", `Source ${id} holds nothing that could be released.`);
}
