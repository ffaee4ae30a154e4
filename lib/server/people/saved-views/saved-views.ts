import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import { z } from "zod";
import type { ListPage } from "#lib/contract/common.ts";
import {
  type SavedView,
  type SavedViewChange,
  type SavedViewListQuery,
  type SavedViewRequest,
  savedViewsPerPerson,
} from "#lib/contract/saved-view.ts";
import { isAdmin } from "#lib/domain/policy/rights.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import {
  assertMaySave,
  assertMayShare,
  findSavedView,
  nameIsTaken,
  ownsView,
  type SavedViewRow,
  savedViewFields,
  seesView,
  serializeSavedView,
} from "#lib/server/people/saved-views/saved-view-row.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { isDuplicateError } from "#lib/server/platform/db/database-errors.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRow } from "#lib/server/platform/db/run-query.ts";
import { tables, toColumn } from "#lib/server/platform/db/tables.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { pageOf, parseListCursor } from "#lib/server/records/list-cursor.ts";

type Change = {
  /** The change to the views that others see; undefined if only its owner sees the view. */
  shared: "saved-view.share" | "saved-view.unshare" | undefined;
  view: Pick<SavedView, "id" | "list" | "name" | "query">;
  /** The owner's name, if the view is another person's. */
  owner?: string;
};

/** Writes a view in one transaction. Shared views leave an audit entry, private ones do not. */
async function writeView(
  ctx: ServiceContext,
  { shared, view, owner }: Change,
  work: (tx: PoolClient) => Promise<void>,
): Promise<void> {
  if (shared === undefined) return inTransaction(ctx.runtime.pool, work);
  const { id, list, name, query } = view;
  await appendChange(ctx, {
    code: shared,
    detail: { id, list, name, query, ...(owner === undefined ? {} : { owner }) },
    within: work,
  });
}

const Key = z.tuple([z.uuid()]);

/** Rows per query. The views that the reader sees are chosen here, not by the database. */
const batchSize = 500;

/** Lists one's own saved views and the shared ones that one sees, by name. */
export async function listSavedViews({ ctx, input }: Call<SavedViewListQuery>): Promise<ListPage<SavedView>> {
  const rows: SavedViewRow[] = [];
  let after = parseListCursor(Key, input.cursor)?.[0];
  do {
    const batch = await readBatch(ctx, input, after);
    rows.push(...batch.filter((row) => seesView(row, ctx.actor)));
    after = batch.length < batchSize ? undefined : batch.at(-1)?.id;
  } while (after !== undefined && rows.length <= input.limit);
  return pageOf({
    rows: rows.slice(0, input.limit + 1),
    limit: input.limit,
    keyOf: (row) => [row.id],
    toItem: (row) => serializeSavedView(row, ctx.actor),
  });
}

function readBatch(
  { actor: { type, userId }, runtime }: ServiceContext,
  { list }: SavedViewListQuery,
  after: string | undefined,
): Promise<SavedViewRow[]> {
  return prismaOn(runtime.pool).savedView.findMany({
    where: {
      OR: [{ shared: true }, ...(type === "user" ? [{ ownerId: userId }] : [])],
      ...(list === undefined ? {} : { list }),
    },
    select: savedViewFields,
    orderBy: [{ name: "asc" }, { id: "asc" }],
    take: batchSize,
    ...(after === undefined ? {} : { cursor: { id: after }, skip: 1 }),
  });
}

/**
 * Saves a view for the actor, or for others too. Throws `forbidden` to a token, and if it is to be shared without the
 * role for it; `conflict` if the name is taken in this list or the actor has as many views as one may have.
 */
export async function createSavedView({ ctx, input }: Call<SavedViewRequest>): Promise<SavedView> {
  const { actor, runtime } = ctx;
  assertMaySave(actor);
  if (input.shared) assertMayShare(actor);
  const { list, shared } = input;
  const [id, name, query] = [randomUUID(), toColumn(input.name), toColumn(input.query)];
  const change = { shared: shared ? ("saved-view.share" as const) : undefined, view: { id, list, name, query } };
  await writeView(ctx, change, async (tx) => {
    await assertWithinLimit(tx, actor.userId);
    const stored = await prismaOn(tx).savedView.createMany({
      data: { id, ownerId: actor.userId, list, name, query, shared },
      skipDuplicates: true,
    });
    if (stored.count === 0) throw nameIsTaken(name);
  });
  return serializeSavedView(await findSavedView(runtime, actor, id), actor);
}

/** The person's row is locked: of two views that are saved at the same time, the second counts the first. */
async function assertWithinLimit(tx: PoolClient, userId: string): Promise<void> {
  await readRow(tx, tables.selectFrom("user_account").select("id").where("id", "=", userId).forNoKeyUpdate());
  const saved = await prismaOn(tx).savedView.count({ where: { ownerId: userId } });
  if (saved >= savedViewsPerPerson)
    throw new ServiceError("conflict", `You have ${savedViewsPerPerson} saved views, which is the limit; delete one.`);
}

/**
 * Changes one's own view. Throws `forbidden` to a token, for another person's shared view, or if the view is to be
 * shared without the role for it; `conflict` if the name is taken; `not_found`.
 */
export async function changeSavedView({ ctx, input }: Call<SavedViewChange & { id: string }>): Promise<SavedView> {
  const { actor, runtime } = ctx;
  assertMaySave(actor);
  const row = await findSavedView(runtime, actor, input.id);
  if (!ownsView(row, actor))
    throw new ServiceError("forbidden", `${row.owner.name} saved this view. Save one of your own to change it.`);
  const shared = input.shared ?? row.shared;
  if (shared) assertMayShare(actor);
  const name = toColumn(input.name ?? row.name);
  const query = toColumn(input.query ?? row.query);
  const code = shared ? "saved-view.share" : row.shared ? "saved-view.unshare" : undefined;
  const { id, list } = serializeSavedView(row, actor);
  await writeView(ctx, { shared: code, view: { id, list, name, query } }, async (tx) => {
    const data = { name, query, shared, updatedAt: await readDatabaseTime(tx) };
    const changed = await prismaOn(tx)
      .savedView.updateMany({ where: { id, ownerId: actor.userId }, data })
      .catch((error: unknown) => {
        throw isDuplicateError(error) ? nameIsTaken(name) : error;
      });
    if (changed.count === 0) throw new ServiceError("not_found", `There is no saved view ${id}.`);
  });
  return serializeSavedView(await findSavedView(runtime, actor, id), actor);
}

/**
 * Deletes one's own view, or any shared one as an admin, and returns it as it was. Throws `forbidden` for another
 * person's shared view, and `not_found`.
 */
export async function deleteSavedView({ ctx, input }: Call<{ id: string }>): Promise<SavedView> {
  const { actor, runtime } = ctx;
  const row = await findSavedView(runtime, actor, input.id);
  const isOwn = ownsView(row, actor);
  if (!isOwn && !isAdmin(actor.rights))
    throw new ServiceError("forbidden", `${row.owner.name} shared this view. They or an admin may delete it.`);
  const view = serializeSavedView(row, actor);
  const code = row.shared ? ("saved-view.unshare" as const) : undefined;
  await writeView(ctx, { shared: code, view, ...(isOwn ? {} : { owner: row.owner.name }) }, async (tx) => {
    // An admin deletes a view only while it is shared; if its owner has unshared it meanwhile, it is private again.
    const deleted = await prismaOn(tx).savedView.deleteMany({
      where: { id: row.id, OR: [{ ownerId: actor.userId }, { shared: true }] },
    });
    if (deleted.count === 0) throw new ServiceError("not_found", `There is no saved view ${row.id}.`);
  });
  return view;
}
