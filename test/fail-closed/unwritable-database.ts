import pg from "pg";
import type { TestDatabase } from "#test/database.ts";

export type Spoiled = { restore(): Promise<void> };

/** Sets something for the whole database, and ends all connections, which would keep their initial settings. */
async function setForAll(database: TestDatabase, setting: string): Promise<Spoiled> {
  const url = new URL(database.ownerUrl);
  const name = url.pathname.slice(1);
  url.pathname = "/postgres";
  const server = new pg.Client({ connectionString: url.href });
  await server.connect();
  const endConnections = () =>
    server.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [name]);
  await server.query(`ALTER DATABASE "${name}" SET ${setting}`);
  await endConnections();
  return {
    async restore() {
      await server.query(`ALTER DATABASE "${name}" RESET ${setting.split(" ")[0]}`);
      await endConnections();
      await server.end();
    },
  };
}

/** Makes the database read-only, as after a failover to a standby: the server answers 25006 to every write. */
export function makeReadOnly(database: TestDatabase): Promise<Spoiled> {
  return setForAll(database, "default_transaction_read_only = on");
}

/** Makes the server end each session (57P05) that is idle for this long. */
export function endIdleSessions(database: TestDatabase): Promise<Spoiled> {
  return setForAll(database, "idle_session_timeout = '150ms'");
}

/** Makes writes fail, for every table, as they do on a full disk when a file must grow. */
export async function fillDisk(database: TestDatabase): Promise<Spoiled> {
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query(
    `CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = '53100'; END $$`,
  );
  const { rows } = await owner.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND NOT relispartition`,
  );
  for (const { name } of rows)
    await owner.query(
      `CREATE TRIGGER no_space BEFORE INSERT OR UPDATE ON "${name}" FOR EACH STATEMENT EXECUTE FUNCTION no_space()`,
    );
  return {
    async restore() {
      // One table at a time: locking all at once would deadlock with any transaction that writes to two.
      for (const { name } of rows) await owner.query(`DROP TRIGGER no_space ON "${name}"`);
      await owner.query("DROP FUNCTION no_space()");
      await owner.end();
    },
  };
}
