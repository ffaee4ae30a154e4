import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { assertRolloutReadable, rolloutNotFound } from "#lib/server/people/permission/read-scope.ts";
import { isAddress } from "#lib/server/platform/db/conditions.ts";
import { type RowOf, readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { StoreContext } from "#lib/server/process/store-context.ts";
import { type RolloutRow, selectRollouts } from "#lib/server/records/rollout-row.ts";

const selectFullRollouts = selectRollouts.select(["r.object", "r.first_seen_at"]);

export type FullRolloutRow = RowOf<typeof selectFullRollouts>;

/**
 * Finds the rollout at this address: the one that the cluster has, else the one seen last. Throws `not_found`, also for
 * one that the actor may not see.
 */
export async function findRollout({ runtime, actor }: StoreContext, path: ObjectRef): Promise<FullRolloutRow> {
  assertRolloutReadable(actor.rights, path);
  const row = await readRow(
    runtime.pool,
    selectFullRollouts
      .where(isAddress(path))
      .orderBy((eb) => eb("r.presence", "=", "deleted"))
      .orderBy("r.first_seen_at", "desc")
      .limit(1),
  );
  if (row === undefined) throw rolloutNotFound(path);
  return row;
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
export async function findRolloutIds({ runtime, actor }: StoreContext, path: ObjectRef): Promise<string[]> {
  assertRolloutReadable(actor.rights, path);
  const query = tables.selectFrom("rollout as r").select("r.id").where(isAddress(path));
  const found = await readRows(runtime.pool, query);
  if (found.length === 0) throw rolloutNotFound(path);
  return found.map(({ id }) => id);
}
