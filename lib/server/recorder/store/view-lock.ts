import type { PoolClient } from "pg";

/**
 * Held to the end of the transaction by whoever writes two tables of a cluster that are joined on the way in: rollouts
 * with their ReplicaSets, runs with their Experiments, pods with their ReplicaSets. Without it two sources that commit
 * side by side would each miss
 * what the other writes.
 */
export async function lockJoin(
  tx: PoolClient,
  join: "rollout-view" | "run-owner" | "pod-owner",
  cluster: string,
): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))", [`gatehouse/${join}`, cluster]);
}
