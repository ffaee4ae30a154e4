import type { PoolClient } from "pg";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { ChangeRow } from "#lib/server/recording/store/change-rows.ts";
import { lockJoin } from "#lib/server/recording/store/view-lock.ts";
import { refreshViews } from "./refresh-views.ts";

/** Refreshes the views of rollouts with new messages, and makes their runs due for derivation. */
export async function showReported(
  tx: PoolClient,
  { cluster, rolloutIds }: { cluster: string; rolloutIds: readonly string[] },
): Promise<ChangeRow[]> {
  if (rolloutIds.length === 0) return [];
  await lockJoin(tx, "rollout-view", cluster);
  const changes = await refreshViews(tx, rolloutIds);
  await makeRunsDue(tx, rolloutIds);
  return changes;
}

/** Makes the runs of rollouts due for derivation. */
export async function makeRunsDue(tx: PoolClient, rolloutIds: readonly string[]): Promise<void> {
  if (rolloutIds.length === 0) return;
  await write(
    tx,
    tables
      .updateTable("rollout")
      .set({ runs_due: true })
      .where(({ ref }) => isOneOf(ref("id"), rolloutIds, "uuid"))
      .where("runs_due", "=", false),
  );
}
