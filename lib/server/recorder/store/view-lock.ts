import type { PoolClient } from "pg";

/**
 * Locks two tables of a cluster that are joined when written, until the transaction ends: rollouts with their
 * ReplicaSets, runs with their Experiments, pods with their ReplicaSets. Without the lock, two sources that commit
 * concurrently would each miss what the other writes.
 */
export async function lockJoin(
  tx: PoolClient,
  join: "rollout-view" | "run-owner" | "pod-owner",
  cluster: string,
): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))", [`gatehouse/${join}`, cluster]);
}
