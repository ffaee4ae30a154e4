import { Pool } from "pg";

/** A pool for tests: dropping the database cuts connections that are still saying goodbye, which is no error. */
export function createTestPool(connectionString: string, max = 10): Pool {
  const pool = new Pool({ connectionString, max });
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}
