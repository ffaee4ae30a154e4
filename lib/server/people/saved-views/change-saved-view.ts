import type { SavedView, SavedViewChange } from "#lib/contract/saved-view.ts";
import {
  assertMaySave,
  assertMayShare,
  findSavedView,
  nameIsTaken,
  ownsView,
  serializeSavedView,
} from "#lib/server/people/saved-views/saved-view-row.ts";
import { writeView } from "#lib/server/people/saved-views/write-view.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { isDuplicateError } from "#lib/server/platform/db/database-errors.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { toColumn } from "#lib/server/platform/db/tables.ts";
import type { Call } from "#lib/server/process/service-context.ts";

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
