import type { Pool } from "pg";
import type { AuditDraft } from "#lib/domain/audit/audit-entry.ts";
import { maxPerPass, readDueActions } from "#lib/server/acting/follow/due-actions.ts";
import { followEffect } from "#lib/server/acting/follow/follow-effect.ts";
import type { FollowPass } from "#lib/server/acting/follow/followed-row.ts";
import { resolveUnknown } from "#lib/server/acting/follow/resolve-unknown.ts";
import { entryOf, settleWithEntry } from "#lib/server/acting/follow/settle-action.ts";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { secondsBefore, transactionTime } from "#lib/server/platform/db/database-time.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { type ActionChange, actionColumns } from "#lib/server/records/action-store.ts";

const abandonedSeconds = 120;

type FollowOptions = {
  pool: Pool;
  clusterFor: (cluster: string) => ClusterClient | undefined;
  onError?: (error: unknown, actionId: string) => void;
};

/**
 * Makes one pass over the actions that are not settled. Applied ones are followed until the rollout shows their effect,
 * even long after their deadline. Unknown ones are read back from the cluster. Several recorders may run this at once.
 * Resolves with the number of changed rows, and of those that were looked at; a failing action does not block the others.
 */
export async function followActions({
  pool,
  clusterFor,
  onError,
}: FollowOptions): Promise<{ changed: number; followed: number }> {
  const pass: FollowPass = { pool, clusterFor, silent: new Set(), onError };
  const rows = await readDueActions(pool);
  let changed = await dropWithoutIntent({ pool, onError });
  for (const row of rows) {
    try {
      const isEffect = row.state === "applied" || row.state === "not-effective";
      const isChanged = isEffect ? await followEffect({ ...pass, row }) : await resolveUnknown({ ...pass, row });
      if (isChanged) changed += 1;
    } catch (error) {
      onError?.(error, row.id);
    }
  }
  return { changed, followed: rows.length };
}

/** Drops actions without an intent. Nothing was sent and nothing can follow: the requester is gone or was told so. */
async function dropWithoutIntent({ pool, onError }: Pick<FollowOptions, "pool" | "onError">): Promise<number> {
  const rows = await readRows(
    pool,
    tables
      .selectFrom("action as a")
      .select(actionColumns)
      .where("a.state", "=", "requested")
      .where("a.intent_seq", "is", null)
      .where("a.requested_at", "<", secondsBefore(transactionTime, abandonedSeconds))
      .limit(maxPerPass),
  );
  const message = "Gatehouse stopped before it did anything.";
  let dropped = 0;
  for (const row of rows) {
    const entry: AuditDraft = { ...entryOf({ row, message }), outcome: "refused" };
    const changeOf = (seq: number): ActionChange => ({ state: "refused", message, outcomeSeq: seq });
    try {
      if (await settleWithEntry({ pool, row, entry, changeOf, from: ["requested"] })) dropped += 1;
    } catch (error) {
      onError?.(error, row.id);
    }
  }
  return dropped;
}
