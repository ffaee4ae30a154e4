import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { markChanged } from "#lib/server/oversight/mark-changed.ts";

/**
 * Marks every rollout that has changed so far. The tests share one database server, and a transaction of another test
 * may hold back changes that this one has committed.
 */
export async function markSettled(pool: Pool): Promise<void> {
  while ((await markChanged(pool)).hasPending) await sleep(20);
}
