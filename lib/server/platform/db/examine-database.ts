import { sql } from "kysely";
import { transactionTime } from "#lib/server/platform/db/database-time.ts";
import { type Connection, readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

/** Returns how far the server's clock is ahead of this machine's, in milliseconds. */
export async function readClockLead(connection: Connection): Promise<number> {
  const before = Date.now();
  const row = await readRow(
    connection,
    sql<{ ms: number }>`SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms`,
  );
  return (row?.ms ?? Number.NaN) - (before + Date.now()) / 2;
}

/** The rights that matter most: those that each role needs for its work, and those that it must not have. */
const expectedRights = [
  { role: "gatehouse_web", table: "rollout", right: "SELECT", may: true },
  { role: "gatehouse_web", table: "rollout", right: "UPDATE", may: false },
  { role: "gatehouse_web", table: "audit_entry", right: "INSERT", may: true },
  { role: "gatehouse_web", table: "audit_entry", right: "UPDATE", may: false },
  { role: "gatehouse_web", table: "audit_entry", right: "DELETE", may: false },
  { role: "gatehouse_recorder", table: "rollout", right: "UPDATE", may: true },
  { role: "gatehouse_recorder", table: "audit_entry", right: "INSERT", may: true },
  { role: "gatehouse_recorder", table: "audit_entry", right: "DELETE", may: false },
  { role: "gatehouse_recorder", table: "user_session", right: "SELECT", may: false },
] as const;

/** Returns one sentence for each role that is missing, and for each right that differs from the migrations'. */
export async function listRightTroubles(connection: Connection): Promise<string[]> {
  const found = await readRows(
    connection,
    sql<{
      name: string;
    }>`SELECT rolname AS name FROM pg_roles WHERE rolname IN ('gatehouse_web', 'gatehouse_recorder')`,
  );
  const roles = new Set(found.map(({ name }) => name));
  const troubles = ["gatehouse_web", "gatehouse_recorder"]
    .filter((role) => !roles.has(role))
    .map((role) => `the role ${role} does not exist: without it web and recorder share the owner's rights`);
  for (const { role, table, right, may } of expectedRights) {
    if (!roles.has(role)) continue;
    const row = await readRow(
      connection,
      sql<{ has: boolean }>`SELECT has_table_privilege(${role}, ${table}, ${right}) AS has`,
    );
    if (row?.has === may) continue;
    const mend = may ? `GRANT ${right} ON ${table} TO ${role}` : `REVOKE ${right} ON ${table} FROM ${role}`;
    troubles.push(`${role} ${may ? "may not" : "may"} ${right} on ${table}: run ${mend} as the owner`);
  }
  return troubles;
}

/** Counts the credentials of hooks that are valid now. */
export async function countHookCredentials(connection: Connection): Promise<number> {
  const row = await readRow(
    connection,
    tables
      .selectFrom("hook_credential")
      .select(countRows().as("count"))
      .where("revoked_at", "is", null)
      .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", transactionTime)])),
  );
  return row?.count ?? 0;
}

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
