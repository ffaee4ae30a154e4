import type { PoolClient } from "pg";
import type { DeliveryObject } from "#lib/domain/delivery/provider.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { clockTime, secondsBefore } from "#lib/server/platform/db/database-time.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { valueAt } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { runKeyOf } from "#lib/server/records/action-store.ts";

/** An action's consequences follow within seconds, and later only if the controller was away. */
const withinMinutes = 60;

/** Index of a pause step that a person knowingly let the controller pass in the update to that revision. */
export type KnownPass = { runKey: string; step: number };

/**
 * Loads, by rollout, the pause steps that people let the controller pass after being told before the click. Each is
 * valid only for the update that was acted on: the next update may lose the same gate without anyone having been told.
 * Queried only for rollouts whose state may lose a gate.
 */
export async function loadKnownPasses(
  tx: PoolClient,
  seenObjects: readonly { id: string; rollout: Pick<DeliveryObject, "mayLoseGates"> }[],
): Promise<Map<string, KnownPass[]>> {
  const ids = seenObjects.filter(({ rollout }) => rollout.mayLoseGates).map(({ id }) => id);
  const known = new Map<string, KnownPass[]>();
  if (ids.length === 0) return known;
  // The values are parsed here and not cast in SQL: one stored plan of another shape would block all rollouts of a
  // batch.
  const rows = await readRows(
    tx,
    tables
      .selectFrom("action as a")
      .select(({ ref }) => [
        "a.rollout_id",
        valueAt(ref("a.plan"), "passesPauses").as("passes"),
        runKeyOf(ref("a.plan")).as("runKey"),
      ])
      .where(({ ref }) => isOneOf(ref("a.rollout_id"), [...new Set(ids)], "uuid"))
      .where("a.intent_seq", "is not", null)
      .where("a.state", "<>", "refused")
      .where("a.requested_at", ">", secondsBefore(clockTime, withinMinutes * 60)),
  );
  for (const { rollout_id: id, runKey, passes } of rows)
    for (const step of stepsIn(passes)) known.set(id, [...(known.get(id) ?? []), { runKey: runKey ?? "", step }]);
  return known;
}

/** Returns the step indexes in a stored plan; values that are not indexes do not refer to a pause. */
function stepsIn(passes: unknown): number[] {
  if (!Array.isArray(passes)) return [];
  return passes.filter((step: unknown): step is number => Number.isSafeInteger(step) && Number(step) >= 0);
}
