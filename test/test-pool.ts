import { Pool } from "pg";
import { hearErrors } from "#lib/server/db/hear-errors.ts";

/** A pool for tests: dropping the database cuts connections that are still saying goodbye, which is no error. */
export function createTestPool(connectionString: string, max = 10): Pool {
  const pool = new Pool({ connectionString, max });
  hearErrors(pool, () => {});
  return pool;
}
