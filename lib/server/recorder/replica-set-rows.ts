import type { PoolClient } from "pg";
import type { ViewReplicaSet } from "#lib/domain/argo/rollout-view.ts";

type Row = {
  rollout_id: string;
  name: string;
  pod_hash: string | null;
  revision: number | null;
  images: string[];
  replicas: number;
  ready: number;
  available: number;
  desired: number;
};

/** The ReplicaSets of each of these rollouts that the cluster still has, as a view takes them. */
export async function loadReplicaSets(
  tx: PoolClient,
  rolloutIds: readonly string[],
): Promise<Map<string, ViewReplicaSet[]>> {
  const { rows } = await tx.query<Row>(
    `SELECT rollout_id, name, pod_hash, revision, images, replicas, ready, available, desired
       FROM replica_set WHERE rollout_id = ANY($1::uuid[]) AND presence = 'live' ORDER BY created_at, uid`,
    [rolloutIds],
  );
  const byRollout = new Map<string, ViewReplicaSet[]>();
  for (const row of rows) {
    const { rollout_id: id, pod_hash: podHash, revision, ...facts } = row;
    const list = byRollout.get(id) ?? [];
    list.push({ ...facts, podHash: podHash ?? undefined, revision: revision ?? undefined });
    byRollout.set(id, list);
  }
  return byRollout;
}
