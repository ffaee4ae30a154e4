import { sql } from "kysely";
import { type Connection, readRow } from "./run-query.ts";

/** Reads the database's clock, which all processes share; this process's own if there is no answer row. */
export async function readDatabaseTime(connection: Connection): Promise<Date> {
  const row = await readRow(connection, sql<{ now: Date }>`SELECT clock_timestamp() AS now`);
  return row?.now ?? new Date();
}
