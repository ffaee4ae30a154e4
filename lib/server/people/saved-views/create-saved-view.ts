import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import { type SavedView, type SavedViewRequest, savedViewsPerPerson } from "#lib/contract/saved-view.ts";
import {
  assertMaySave,
  assertMayShare,
  findSavedView,
  nameIsTaken,
  serializeSavedView,
} from "#lib/server/people/saved-views/saved-view-row.ts";
import { writeView } from "#lib/server/people/saved-views/write-view.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRow } from "#lib/server/platform/db/run-query.ts";
import { tables, toColumn } from "#lib/server/platform/db/tables.ts";
import type { Call } from "#lib/server/process/service-context.ts";

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
