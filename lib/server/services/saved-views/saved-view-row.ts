import { z } from "zod";
import type { SavedView } from "#lib/contract/saved-view.ts";
import { hasRole } from "#lib/domain/policy/rights.ts";
import type { Actor } from "#lib/server/actor/actor.ts";
import { ServiceError } from "#lib/server/actor/service-error.ts";
import type { Prisma } from "#lib/server/db/generated/client.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";

export const savedViewFields = {
  id: true,
  ownerId: true,
  list: true,
  name: true,
  query: true,
  shared: true,
  createdAt: true,
  updatedAt: true,
  owner: { select: { name: true } },
} as const satisfies Prisma.SavedViewSelect;

export type SavedViewRow = Prisma.SavedViewGetPayload<{ select: typeof savedViewFields }>;

/** The views that the actor sees: their own and the shared ones. */
export function isVisibleTo({ userId }: Pick<Actor, "userId">): Prisma.SavedViewWhereInput {
  return { OR: [{ ownerId: userId }, { shared: true }] };
}

/** Finds a view that the actor sees. Throws `not_found`, for others' own views too. */
export async function findSavedView({ db }: Runtime, actor: Actor, id: string): Promise<SavedViewRow> {
  const row = z.uuid().safeParse(id).success
    ? await db.savedView.findFirst({ where: { id, ...isVisibleTo(actor) }, select: savedViewFields })
    : null;
  if (row === null) throw new ServiceError("not_found", `There is no saved view ${id}.`);
  return row;
}

/** Everybody finds a shared view among their lists, so it takes the right to act somewhere. Throws `forbidden`. */
export function assertMayShare({ role }: Actor): void {
  if (!hasRole(role, "operator"))
    throw new ServiceError("forbidden", `Operators may share views; your role is ${role}. Save it for yourself.`);
}

/** The refusal of a second view of the same name in one list. */
export function nameIsTaken(name: string): ServiceError {
  return new ServiceError("conflict", `You already have a view of this list named ${name}. Choose another name.`);
}

export function serializeSavedView(row: SavedViewRow, { userId }: Pick<Actor, "userId">): SavedView {
  return {
    id: row.id,
    list: row.list as SavedView["list"],
    name: row.name,
    query: row.query,
    shared: row.shared,
    owner: row.owner.name,
    mine: row.ownerId === userId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
