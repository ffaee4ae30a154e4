import type { Pool } from "pg";
import type { AuditDraft } from "#lib/domain/audit/audit-entry.ts";
import {
  type ActionChange,
  type ActionRow,
  actionColumns,
  targetUidSql,
  unresolvedSql,
} from "#lib/server/acting/action-store.ts";
import { followEffect } from "#lib/server/acting/follow-effect.ts";
import type { Followed, FollowPass } from "#lib/server/acting/followed-row.ts";
import { resolveUnknown } from "#lib/server/acting/resolve-unknown.ts";
import { entryOf, settleWithEntry } from "#lib/server/acting/settle-action.ts";
import type { ClusterClient } from "#lib/server/kubernetes/cluster-client-types.ts";

/**
 * This long after the row's deadline nothing that was sent can still be in flight. The deadline is 30 s after an
 * unknown outcome was written and 75 s after an intent. A PATCH hangs 34 s at most, and clients give up before.
 */
const graceSeconds = 15;
const abandonedSeconds = 120;
const maxPerPass = 200;

type FollowOptions = {
  pool: Pool;
  clusterFor: (cluster: string) => ClusterClient | undefined;
  onError?: (error: unknown, actionId: string) => void;
};

/**
 * Actions looked at longest ago come first, so that actions that never settle block no others. One without effect by
 * its deadline is due again with each change in the record of its object, and from time to time without one.
 */
const dueSql = `WITH seen AS NOT MATERIALIZED (
    SELECT a.id, r.object, coalesce(run.resource_version, e.resource_version, r.resource_version) AS version,
      r.resource_version AS rollout_version
    FROM action a LEFT JOIN rollout r ON r.id = a.rollout_id
    LEFT JOIN analysis_run run ON run.uid = ${targetUidSql("a.plan")}
    LEFT JOIN experiment e ON e.uid = ${targetUidSql("a.plan")}
  ), due AS (
    (SELECT id FROM action WHERE state = 'applied' OR ${unresolvedSql}
      ORDER BY followed_at NULLS FIRST, requested_at LIMIT ${maxPerPass})
    UNION
    (SELECT a.id FROM action a JOIN seen s ON s.id = a.id
      WHERE a.watch_until IS NOT NULL
        AND (a.look_at <= now() OR a.watch_until <= now() OR s.version IS DISTINCT FROM a.judged_version)
      ORDER BY a.followed_at NULLS FIRST, a.requested_at LIMIT ${maxPerPass})),
  looked AS (UPDATE action SET followed_at = clock_timestamp() WHERE id IN (SELECT id FROM due))
  SELECT ${actionColumns},
    coalesce(a.deadline_at < now(), false) AS is_late,
    coalesce(a.deadline_at, a.requested_at) < now() - interval '${graceSeconds} seconds' AS is_grace_over,
    coalesce(a.watch_until <= now(), false) AS is_over, coalesce(a.look_at <= now(), true) AS is_look_due,
    s.object AS recorded, s.rollout_version AS recorded_version, s.version AS seen_version
  FROM action a JOIN due ON due.id = a.id JOIN seen s ON s.id = a.id
  ORDER BY a.requested_at`;

/**
 * Makes one pass over the actions that are not settled. Applied ones are followed until the rollout shows their effect,
 * even long after their deadline. Unknown ones are read back from the cluster. Several recorders may run this at once.
 * Resolves with the number of changed rows; a failing action does not block the others.
 */
export async function followActions({ pool, clusterFor, onError }: FollowOptions): Promise<{ changed: number }> {
  const pass: FollowPass = { pool, clusterFor, silent: new Set(), onError };
  const { rows } = await pool.query<Followed>(dueSql);
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
  return { changed };
}

/** Drops actions without an intent. Nothing was sent and nothing can follow: the requester is gone or was told so. */
async function dropWithoutIntent({ pool, onError }: Pick<FollowOptions, "pool" | "onError">): Promise<number> {
  const { rows } = await pool.query<ActionRow>(
    `SELECT ${actionColumns} FROM action a WHERE state = 'requested' AND intent_seq IS NULL
       AND requested_at < now() - interval '${abandonedSeconds} seconds' LIMIT ${maxPerPass}`,
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
