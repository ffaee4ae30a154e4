import { Pool } from "pg";
import { hearErrors } from "#lib/server/platform/db/pools.ts";

/** Creates a pool for tests: dropping the database cuts connections that are still closing, which is not an error. */
export function createTestPool(connectionString: string, max = 10): Pool {
  const pool = new Pool({ connectionString, max });
  hearErrors(pool, () => {});
  return pool;
}
