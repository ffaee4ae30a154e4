import { sql } from "kysely";
import { type Connection, readRow } from "#lib/server/platform/db/run-query.ts";

/** Returns the server's major version: 15, 18. */
export async function readServerMajor(connection: Connection): Promise<number> {
  const row = await readRow(
    connection,
    sql<{ version: number }>`SELECT current_setting('server_version_num')::int AS version`,
  );
  return Math.floor((row?.version ?? Number.NaN) / 10_000);
}

/** Counts the tables of all schemas but PostgreSQL's own. */
export async function countTables(connection: Connection): Promise<number> {
  const row = await readRow(
    connection,
    sql<{ tables: number }>`
      SELECT count(*)::int AS tables FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE relkind IN ('r', 'p') AND nspname <> 'information_schema' AND nspname NOT LIKE 'pg\\_%'`,
  );
  return row?.tables ?? 0;
}
