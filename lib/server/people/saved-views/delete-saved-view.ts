import type { SavedView } from "#lib/contract/saved-view.ts";
import { isAdmin } from "#lib/domain/policy/rights.ts";
import { findSavedView, ownsView, serializeSavedView } from "#lib/server/people/saved-views/saved-view-row.ts";
import { writeView } from "#lib/server/people/saved-views/write-view.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Call } from "#lib/server/process/service-context.ts";

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
