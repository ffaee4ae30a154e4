import type { RolloutPath } from "#lib/contract/rollout.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { mayRead } from "#lib/domain/policy/rights.ts";
import { readRolloutAt, rolloutNotFound } from "#lib/server/people/permission/find-wait.ts";
import type { StoreContext } from "#lib/server/platform/actor/actor.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { RowOf } from "#lib/server/platform/db/run-query.ts";
import { type RolloutRow, selectRollouts } from "#lib/server/records/rollout-row.ts";

const selectFullRollouts = selectRollouts.select(["r.object", "r.first_seen_at"]);

export type FullRolloutRow = RowOf<typeof selectFullRollouts>;

/**
 * Finds the rollout at this address: the one that the cluster has, else the one seen last. Throws `not_found`, also for
 * one that the actor may not see.
 */
export function findRollout(ctx: StoreContext, path: ObjectRef): Promise<FullRolloutRow> {
  return readRolloutAt(ctx, { path, query: selectFullRollouts });
}

/** Explains why the recorded state is not a basis to advance on; null if the cluster has the rollout. */
export function explainAbsence({ presence }: Pick<RolloutRow, "presence">): string | null {
  if (presence === "live") return null;
  return presence === "deleted"
    ? "The cluster has deleted this rollout."
    : "The cluster no longer shows this rollout, and its deletion was not observed.";
}

/**
 * Finds the ids of all objects that ever had this address: a recreated rollout keeps its history. Throws `not_found`.
 */
export async function findRolloutIds({ runtime, actor }: StoreContext, path: RolloutPath): Promise<string[]> {
  if (!mayRead(actor.rights, path)) throw rolloutNotFound(path);
  const { cluster, namespace, kind, name } = path;
  const found = await prismaOn(runtime.pool).rollout.findMany({
    where: { cluster, namespace, kind, name },
    select: { id: true },
  });
  if (found.length === 0) throw rolloutNotFound(path);
  return found.map(({ id }) => id);
}
