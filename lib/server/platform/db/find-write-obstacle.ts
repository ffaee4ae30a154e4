import { sql } from "kysely";
import type { Pool } from "pg";
import { isUnwritableError } from "#lib/server/platform/db/database-errors.ts";
import { readRow, write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

/** More than the free space of a page, and incompressible: a full disk shows only when a file must grow. */
const trial = tables
  .insertInto("change_log")
  .columns(["kind", "ref", "op"])
  .expression(sql`SELECT 'trial', string_agg(gen_random_uuid()::text, ''), 'upsert' FROM generate_series(1, 2000)`);

/**
 * Returns why the database refuses writes; undefined if it accepts them. A standby and a read-only database report this
 * themselves. `withTrial` writes something and rolls it back, which is the only way to see that a disk has space again.
 */
export async function findWriteObstacle(
  pool: Pool,
  { withTrial }: { withTrial: boolean },
): Promise<string | undefined> {
  const state = await readRow(
    pool,
    sql<{ standby: boolean; read_only: boolean }>`
      SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') = 'on' AS read_only`,
  );
  if (state?.standby === true) return "the database is a standby and takes no writes";
  if (state?.read_only === true) return "the database is read-only";
  return withTrial ? tryToWrite(pool) : undefined;
}

async function tryToWrite(pool: Pool): Promise<string | undefined> {
  // Not `inTransaction`: this one never commits, and a refused write does not make its connection a broken one.
  const client = await pool.connect();
  let broken: unknown;
  try {
    await client.query("BEGIN");
    await write(client, trial);
    return undefined;
  } catch (error) {
    if (!isUnwritableError(error)) broken = error;
    return `the database takes no writes: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    await client.query("ROLLBACK").catch((error: unknown) => {
      broken = error;
    });
    client.release(broken !== undefined);
  }
}
