import { sql } from "kysely";
import pg from "pg";
import { readEnvironment, readNamedVariable } from "#lib/server/platform/config/environment.ts";
import { readRow } from "#lib/server/platform/db/run-query.ts";
import { CommandError, isCommandError } from "./command-line.ts";

type Options = {
  /** Another connection than that of the environment: the owner's. */
  url?: string;
  /** Of the error that is thrown; default 1. */
  exitStatus?: number;
};

/**
 * Runs `use` with connections to the database, without a pooler in between: commands may set limits of their own. Throws
 * a one-line error if no connection is given or nothing answers.
 */
export async function withDatabase<Result>(
  use: (pool: pg.Pool) => Promise<Result>,
  { url, exitStatus = 1 }: Options = {},
): Promise<Result> {
  const connectionString = url ?? readEnvironment().databaseDirectUrl;
  if (connectionString === undefined || connectionString === "") {
    throw new CommandError("DATABASE_URL is not set: give the connection of Gatehouse's database", exitStatus);
  }
  const pool = new pg.Pool({ connectionString, connectionTimeoutMillis: 4000, max: 2 });
  pool.on("error", () => {});
  try {
    await readRow(pool, sql`SELECT 1`);
    return await use(pool);
  } catch (error) {
    if (isCommandError(error)) throw error;
    const message = error instanceof Error ? error.message || String(error) : String(error);
    const name = url === undefined ? "the database of DATABASE_URL" : "the owner's database";
    throw new CommandError(`${name}: ${message}`, exitStatus);
  } finally {
    await pool.end().catch(() => {});
  }
}

/**
 * Returns the owner's connection: DATABASE_MIGRATE_URL, else DATABASE_DIRECT_URL, else DATABASE_URL. Throws a one-line
 * error if none is set.
 */
export function readOwnerUrl(): string {
  const url = readNamedVariable("DATABASE_MIGRATE_URL") ?? readEnvironment().databaseDirectUrl;
  if (url === undefined || url === "")
    throw new CommandError("DATABASE_MIGRATE_URL is not set: give the owner's connection");
  return url;
}
