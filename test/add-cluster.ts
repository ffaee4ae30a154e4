import type { Pool } from "pg";

/** Adds the row of a cluster, as the recorder does when it opens a source. */
export async function addCluster(pool: Pool, name: string): Promise<void> {
  await pool.query("INSERT INTO cluster (name) VALUES ($1) ON CONFLICT DO NOTHING", [name]);
}
