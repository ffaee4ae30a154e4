import pg from "pg";
import { hearErrors } from "#lib/server/platform/db/pools.ts";

/** Names the connections of one recorder in the database. A connection's name has at most 63 characters. */
export function sessionNameOf(holder: string): string {
  return `gatehouse-recorder/${holder.slice(-36)}`;
}

/**
 * Creates the pool for the recorder's own writes. A recorder stopped in the middle of a batch must not block its
 * successor: the database ends idle transactions after 5 s and waits at most 2 s for a lock. A silent database, say
 * behind a cut line, is given up after 40 s: statements that are sent together wait for each other.
 */
export function createRecorderPool({
  url,
  holder,
  onError,
}: {
  url: string;
  /** Names this process among those that compete for leases, so that a successor can end its leftover connections. */
  holder?: string;
  onError: (error: Error) => void;
}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    pipeline: true,
    connectionTimeoutMillis: 4000,
    idle_in_transaction_session_timeout: 5000,
    lock_timeout: 2000,
    statement_timeout: 15_000,
    query_timeout: 40_000,
    keepAlive: true,
    application_name: holder === undefined ? "gatehouse-recorder" : sessionNameOf(holder),
  });
  hearErrors(pool, onError);
  return pool;
}
