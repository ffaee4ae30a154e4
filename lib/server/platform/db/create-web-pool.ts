import pg from "pg";
import { hearErrors } from "#lib/server/platform/db/hear-errors.ts";
import { serverLimits } from "#lib/server/platform/db/server-limits.ts";

/**
 * Creates the pool of a web process. Connects on first use: a database that is down fails only queries. `onError` hears
 * of lost idle connections.
 */
export function createWebPool({
  url,
  isPooled = false,
  maxConnections = 10,
  onError,
}: {
  url: string;
  /** A pooler is in between: see `serverLimits`. */
  isPooled?: boolean;
  maxConnections?: number;
  onError: (error: Error) => void;
}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: 4000,
    idleTimeoutMillis: 30_000,
    ...serverLimits({ isPooled, statementMs: 15_000 }),
    // On a cut line nothing ever answers: this fails everyone who waits, above all the change feed.
    query_timeout: 20_000,
    keepAlive: true,
    application_name: "gatehouse-web",
  });
  hearErrors(pool, onError);
  return pool;
}
