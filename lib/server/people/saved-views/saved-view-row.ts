import { z } from "zod";
import type { SavedView } from "#lib/contract/saved-view.ts";
import { hasRole, readsArea } from "#lib/domain/policy/rights.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { Prisma } from "#lib/server/platform/db/generated/client.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { cleanName } from "#lib/util/text.ts";

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

/** Filters with values from a fixed list, or times: they contain no names. */
const wordless = new Set([
  ...[
    "action",
    "attention",
    "columns",
    "figure",
    "from",
    "kind",
    "last",
    "need",
    "outcome",
    "phase",
    "report",
    "rows",
    "sort",
  ],
  ...["source", "state", "timeZone", "to", "type", "waitHour"],
]);
const places: ReadonlySet<string> = new Set(["cluster", "namespace", "name", "rollout"]);

/** A token has no views of its own: its owner's views may name objects that it may not see. */
export function ownsView(
  row: Pick<SavedViewRow, "ownerId">,
  { type, userId }: Pick<Actor, "type" | "userId">,
): boolean {
  return type === "user" && row.ownerId === userId;
}

/**
 * Returns whether the actor sees a view: their own, and the shared ones of a place in which they may read. Words in the
 * filters may name anything in that place, so they take the right to read the whole place.
 */
export function seesView(row: Pick<SavedViewRow, "ownerId" | "shared" | "query">, actor: Actor): boolean {
  return ownsView(row, actor) || (row.shared && readsPlaceOf(row.query, actor));
}

function readsPlaceOf(query: string, { rights }: Actor): boolean {
  const filters = new Map(new URLSearchParams(query));
  const hasWords = [...filters.keys()].some((key) => !wordless.has(key) && !places.has(key));
  const [cluster, namespace] = [filters.get("cluster"), filters.get("namespace")];
  const area = { cluster, namespace, name: filters.get("name") ?? filters.get("rollout") };
  return readsArea(rights, area, hasWords ? "all" : "some");
}

/** Finds a view that the actor sees. Throws `not_found`, for others' own views too. */
export async function findSavedView({ pool }: Runtime, actor: Actor, id: string): Promise<SavedViewRow> {
  const row = z.uuid().safeParse(id).success
    ? await prismaOn(pool).savedView.findFirst({ where: { id }, select: savedViewFields })
    : null;
  if (row === null || !seesView(row, actor)) throw new ServiceError("not_found", `There is no saved view ${id}.`);
  return row;
}

/** Throws `forbidden` for a token, before it saves or changes its owner's views. */
export function assertMaySave({ type }: Actor): void {
  if (type === "token") throw new ServiceError("forbidden", "A token has no saved views: sign in.");
}

/** Throws `forbidden` without the right to act somewhere: a shared view appears in other people's lists. */
export function assertMayShare({ role }: Actor): void {
  if (!hasRole(role, "operator"))
    throw new ServiceError("forbidden", `Operators may share views; your role is ${role}. Save it for yourself.`);
}

/** The refusal of a second view of the same name in one list. */
export function nameIsTaken(name: string): ServiceError {
  return new ServiceError("conflict", `You already have a view of this list named ${name}. Choose another name.`);
}

export function serializeSavedView(row: SavedViewRow, actor: Pick<Actor, "type" | "userId">): SavedView {
  return {
    id: row.id,
    list: row.list as SavedView["list"],
    // A release before this one stored names as they were sent.
    name: cleanName(row.name) ?? "nameless",
    query: row.query,
    shared: row.shared,
    owner: row.owner.name,
    mine: ownsView(row, actor),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
