import type { Pool, PoolClient } from "pg";
import { inTransaction } from "#lib/server/db/in-transaction.ts";
import { writeChanges } from "#lib/server/recorder/store/change-rows.ts";
import { loadRolloutChanges } from "./kind-rows.ts";

/** How long an event waits for its object to appear. */
export const unlinkedMinutes = 5;
const maxPerPass = 10_000;

/** Kinds that others use too: their events matter only if they belong to a rollout. */
const sharedKinds = ["Pod", "ReplicaSet", "Deployment"];

/** Returns whether an event about this kind is kept even if no owning rollout is known. */
export function isKeptUnlinked(kind: string): boolean {
  return !sharedKinds.includes(kind);
}

/**
 * Maps uids of recorded objects to the ids of the rollouts at their top. Objects without such a rollout are left out.
 */
export async function loadEventOwners(
  client: Pool | PoolClient,
  uids: readonly string[],
): Promise<Map<string, string>> {
  if (uids.length === 0) return new Map();
  const { rows } = await client.query<{ uid: string; rollout_id: string }>(
    `WITH wanted AS (SELECT DISTINCT unnest($1::text[]) AS uid)
     SELECT run.uid, run.rollout_id FROM wanted JOIN analysis_run run USING (uid)
     UNION ALL
     SELECT uid, experiment.rollout_id FROM wanted JOIN experiment USING (uid) WHERE experiment.rollout_id IS NOT NULL
     UNION ALL
     SELECT set.uid, COALESCE(set.rollout_id, experiment.rollout_id)
       FROM (SELECT replica_set.uid, replica_set.rollout_id, owner_uid FROM wanted JOIN replica_set USING (uid)
             UNION ALL
             SELECT pod.uid, replica_set.rollout_id, replica_set.owner_uid
               FROM wanted JOIN pod USING (uid) JOIN replica_set ON replica_set.uid = pod.owner_uid) AS set
       LEFT JOIN experiment ON experiment.uid = set.owner_uid
      WHERE COALESCE(set.rollout_id, experiment.rollout_id) IS NOT NULL
     UNION ALL
     SELECT deployment.uid, rollout.id FROM wanted JOIN deployment USING (uid)
       JOIN rollout ON rollout.cluster = deployment.cluster AND rollout.namespace = deployment.namespace
        AND rollout.workload_ref = deployment.name AND rollout.presence = 'live'`,
    [uids],
  );
  return new Map(rows.map((row) => [row.uid, row.rollout_id]));
}

/**
 * Makes one pass over events that arrived before their objects, newest first. Events whose rollout is now known are
 * linked to it; events of unrelated pods are deleted. Some wait for ever and must not block the others. Several
 * recorders may run this at once. Resolves with the number of linked events.
 */
export async function linkEvents(
  pool: Pool,
  { maxEvents = maxPerPass }: { maxEvents?: number } = {},
): Promise<{ linked: number }> {
  const waiting = await pool.query<{ involved_uid: string }>(
    `SELECT DISTINCT involved_uid FROM (
       SELECT involved_uid FROM kube_event WHERE rollout_id IS NULL ORDER BY updated_at DESC LIMIT $1) AS newest`,
    [maxEvents],
  );
  const owners = await loadEventOwners(
    pool,
    waiting.rows.map((row) => row.involved_uid),
  );
  const linked = await inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ rollout_id: string }>(
      `UPDATE kube_event SET rollout_id = owner.rollout_id
         FROM (SELECT unnest($1::text[]) AS uid, unnest($2::uuid[]) AS rollout_id) AS owner
        WHERE kube_event.involved_uid = owner.uid AND kube_event.rollout_id IS NULL RETURNING kube_event.rollout_id`,
      [[...owners.keys()], [...owners.values()]],
    );
    const rolloutIds = rows.map((row) => row.rollout_id);
    await writeChanges(tx, await loadRolloutChanges(tx, { kind: "rollout-events", rolloutIds }));
    return rows.length;
  });
  await pool.query(
    `DELETE FROM kube_event WHERE rollout_id IS NULL AND involved_kind = ANY($1::text[])
       AND updated_at < clock_timestamp() - make_interval(mins => $2)`,
    [sharedKinds, unlinkedMinutes],
  );
  return { linked };
}
