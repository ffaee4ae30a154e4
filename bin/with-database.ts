import { sql } from "kysely";
import pg from "pg";
import { readEnvironment } from "#lib/server/config/environment.ts";
import { readRow } from "#lib/server/db/run-query.ts";
import { CommandError, isCommandError } from "./command-line.ts";

/** Runs `use` with connections to DATABASE_URL; throws a one-line error if it is not set or nothing answers. */
export async function withDatabase<Result>(use: (pool: pg.Pool) => Promise<Result>, exitStatus = 1): Promise<Result> {
  const { databaseUrl } = readEnvironment();
  if (databaseUrl === undefined || databaseUrl === "") {
    throw new CommandError("DATABASE_URL is not set: give the connection of Gatehouse's database", exitStatus);
  }
  const pool = new pg.Pool({ connectionString: databaseUrl, connectionTimeoutMillis: 4000, max: 2 });
  pool.on("error", () => {});
  try {
    await readRow(pool, sql`SELECT 1`);
    return await use(pool);
  } catch (error) {
    if (isCommandError(error)) throw error;
    const message = error instanceof Error ? error.message || String(error) : String(error);
    throw new CommandError(`the database of DATABASE_URL: ${message}`, exitStatus);
  } finally {
    await pool.end().catch(() => {});
  }
}
