import { sql } from "kysely";
import type { PoolClient } from "pg";
import { awaitLater } from "#lib/server/platform/db/in-transaction.ts";
import { write } from "#lib/server/platform/db/run-query.ts";

/**
 * Tables of a cluster that are joined when written: rollouts with their ReplicaSets and workloads, runs with their
 * Experiments, pods with their ReplicaSets.
 */
export type Join = "rollout-view" | "run-owner" | "pod-owner";

/**
 * Locks the joined tables until the transaction ends. Without the lock, two sources that commit concurrently would each
 * miss the rows of the other.
 */
export async function lockJoin(tx: PoolClient, join: Join, cluster: string): Promise<void> {
  const lock = sql`SELECT pg_advisory_xact_lock(hashtext(${`gatehouse/${join}`}), hashtext(${cluster}))`;
  await awaitLater(tx, write(tx, lock, { isPrepared: true }));
}
