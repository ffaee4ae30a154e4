import { randomUUID } from "node:crypto";
import { createTestPool } from "#test/test-pool.ts";

/**
 * Records two Experiments of the Rollout `shop/checkout` of cluster `demo`: `checkout-exp` of its current version with
 * three ReplicaSets, one without pods, and `checkout-past` of the version before. Returns their uids.
 */
export async function plantExperiments(ownerUrl: string): Promise<string[]> {
  const [current, past] = [randomUUID(), randomUUID()];
  const owner = createTestPool(ownerUrl);
  for (const { uid, name, podHash } of [
    { uid: current, name: "checkout-exp", podHash: "new" },
    { uid: past, name: "checkout-past", podHash: "old" },
  ])
    await owner.query(
      `INSERT INTO experiment (uid, cluster, namespace, name, rollout_id, revision, pod_hash, phase, message, object, created_at, updated_at)
       SELECT $1, 'demo', 'shop', $2, id, 2, $3, 'Running', '', $4, now(), now() FROM rollout WHERE name = 'checkout'`,
      [uid, name, podHash, JSON.stringify(experimentOf(name, uid))],
    );
  for (const { name, uid, replicas } of [
    { name: "checkout-exp-candidate", uid: current, replicas: 1 },
    { name: "checkout-exp-baseline", uid: current, replicas: 1 },
    { name: "checkout-exp-scaled-down", uid: current, replicas: 0 },
    { name: "checkout-past-candidate", uid: past, replicas: 1 },
  ])
    await owner.query(
      `INSERT INTO replica_set (uid, cluster, namespace, name, pod_hash, images, replicas, ready, available, desired, owner_kind, owner_uid, created_at, updated_at)
       VALUES ($1, 'demo', 'shop', $2, 'x', '["shop:2"]', $3, $3, $3, $3, 'Experiment', $4, now(), now())`,
      [randomUUID(), name, replicas, uid],
    );
  await owner.end();
  return [current, past];
}

export async function removeExperiments(ownerUrl: string, uids: readonly string[]): Promise<void> {
  const owner = createTestPool(ownerUrl);
  await owner.query("DELETE FROM replica_set WHERE owner_uid = ANY($1)", [uids]);
  await owner.query("DELETE FROM experiment WHERE uid = ANY($1)", [uids]);
  await owner.end();
}

function experimentOf(name: string, uid: string): Record<string, unknown> {
  const templates = ["baseline", "candidate", "scaled-down"].map((template) => ({ name: template }));
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Experiment",
    metadata: { name, namespace: "shop", uid, resourceVersion: "1" },
    spec: { templates, analyses: [] },
  };
}
