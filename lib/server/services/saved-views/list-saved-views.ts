import { z } from "zod";
import type { SavedView, SavedViewListQuery } from "#lib/contract/saved-view.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { pageOf, parseListCursor } from "#lib/server/services/list-cursor.ts";
import { isVisibleTo, savedViewFields, serializeSavedView } from "#lib/server/services/saved-views/saved-view-row.ts";

const Key = z.tuple([z.uuid()]);

/** Lists one's own saved views and the shared ones of others, by name. */
export async function listSavedViews({
  ctx: { actor, runtime },
  input,
}: {
  ctx: ServiceContext;
  input: SavedViewListQuery;
}): Promise<{ items: SavedView[]; nextCursor: string | null }> {
  const after = parseListCursor(Key, input.cursor);
  const rows = await runtime.db.savedView.findMany({
    where: { ...isVisibleTo(actor), ...(input.list === undefined ? {} : { list: input.list }) },
    select: savedViewFields,
    orderBy: [{ name: "asc" }, { id: "asc" }],
    take: input.limit + 1,
    ...(after === undefined ? {} : { cursor: { id: after[0] }, skip: 1 }),
  });
  return pageOf({
    rows,
    limit: input.limit,
    keyOf: (row) => [row.id],
    toItem: (row) => serializeSavedView(row, actor),
  });
}
