import pg from "pg";
import type { TestDatabase } from "#test/database.ts";

/** Makes the database unavailable, like a stopped server: all connections end, and no new ones are accepted. */
export async function loseDatabase(database: TestDatabase): Promise<{ restore(): Promise<void> }> {
  const url = new URL(database.ownerUrl);
  const name = url.pathname.slice(1);
  url.pathname = "/postgres";
  const server = new pg.Client({ connectionString: url.href });
  await server.connect();
  await server.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
  await server.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [name]);
  return {
    async restore() {
      await server.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
      await server.end();
    },
  };
}
