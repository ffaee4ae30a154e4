import { sql } from "kysely";
import type { Pool, PoolClient } from "pg";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { write } from "#lib/server/platform/db/run-query.ts";

/**
 * Runs a step of a pass in a transaction, after those of other recorders. Making messages locks pending events before
 * matters and incidents, and ending matters does the reverse: two at once would be a deadlock.
 */
export async function inTurn<Result>(pool: Pool, work: (tx: PoolClient) => Promise<Result>): Promise<Result> {
  return inTransaction(pool, async (tx) => {
    await write(tx, sql`SELECT pg_advisory_xact_lock(hashtextextended('gatehouse notifications', 0))`);
    return work(tx);
  });
}
