import pg from "pg";
import { hearErrors } from "#lib/server/db/hear-errors.ts";

/** What the database calls the connections of one recorder. A name of a connection has 63 characters at most. */
export function sessionNameOf(holder: string): string {
  return `gatehouse-recorder/${holder.slice(-36)}`;
}

/**
 * Connections of the recorder's own writing. One that is stopped in the middle of a batch must not block whoever takes
 * its lease over: the database ends idle transactions after 5 s and waits for no lock longer than 2 s. A database that
 * is silent, behind a cut line say, is given up after 20 s.
 */
export function createRecorderPool({
  url,
  holder,
  onError,
}: {
  url: string;
  /** Who this process is among those that want the leases: lets another one end what was left standing. */
  holder?: string;
  onError: (error: Error) => void;
}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 4000,
    idle_in_transaction_session_timeout: 5000,
    lock_timeout: 2000,
    statement_timeout: 15_000,
    query_timeout: 20_000,
    keepAlive: true,
    application_name: holder === undefined ? "gatehouse-recorder" : sessionNameOf(holder),
  });
  hearErrors(pool, onError);
  return pool;
}
