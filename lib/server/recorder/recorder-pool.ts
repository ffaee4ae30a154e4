import pg from "pg";

/**
 * Connections of the recorder's own writing. One that is stopped in the middle of a batch must not block whoever takes
 * its lease over: the database ends idle transactions after 5 s and waits for no lock longer than 2 s.
 */
export function createRecorderPool({ url, onError }: { url: string; onError: (error: Error) => void }): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 4000,
    idle_in_transaction_session_timeout: 5000,
    lock_timeout: 2000,
    statement_timeout: 15_000,
    application_name: "gatehouse-recorder",
  });
  // Without a listener an idle connection that breaks would end the process.
  pool.on("error", onError);
  return pool;
}
