import pg from "pg";
import { readEnvironment } from "#lib/server/config/environment.ts";
import { CommandError } from "./command-line.ts";

/** Runs `use` with one connection of DATABASE_URL; throws one clear line where it is not set or nobody answers. */
export async function withDatabase<Result>(
  use: (client: pg.Client) => Promise<Result>,
  exitStatus = 1,
): Promise<Result> {
  const { databaseUrl } = readEnvironment();
  if (databaseUrl === undefined || databaseUrl === "") {
    throw new CommandError("DATABASE_URL is not set: give the connection of Gatehouse's database", exitStatus);
  }
  try {
    const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 4000 });
    client.on("error", () => {});
    await client.connect();
    try {
      return await use(client);
    } finally {
      await client.end().catch(() => {});
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      `the database of DATABASE_URL: ${error instanceof Error ? error.message : String(error)}`,
      exitStatus,
    );
  }
}
