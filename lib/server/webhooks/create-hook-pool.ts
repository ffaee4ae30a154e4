import pg from "pg";
import { hearErrors } from "#lib/server/platform/db/hear-errors.ts";
import { serverLimits } from "#lib/server/platform/db/server-limits.ts";

/** A call is answered within a second: a database that takes longer than this has not answered. */
const answerWithinMs = 700;

/**
 * Creates the pool that only hook calls use: a page that keeps the other pool busy must not close a gate. A silent
 * database costs a connection, not the next call.
 */
export function createHookPool({
  url,
  isPooled,
  onError,
}: {
  url: string;
  /** A pooler is in between: see `serverLimits`. */
  isPooled: boolean;
  onError: (error: Error) => void;
}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 8,
    connectionTimeoutMillis: answerWithinMs,
    idleTimeoutMillis: 30_000,
    ...serverLimits({ isPooled, statementMs: answerWithinMs }),
    query_timeout: answerWithinMs,
    keepAlive: true,
    application_name: "gatehouse-hooks",
  });
  hearErrors(pool, onError);
  return pool;
}
