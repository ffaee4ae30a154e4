import { z } from "zod";
import type { ListPage } from "#lib/contract/common.ts";
import type { SavedView, SavedViewListQuery } from "#lib/contract/saved-view.ts";
import {
  type SavedViewRow,
  savedViewFields,
  seesView,
  serializeSavedView,
} from "#lib/server/people/saved-views/saved-view-row.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { pageOf, parseListCursor } from "#lib/server/records/list-cursor.ts";

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
