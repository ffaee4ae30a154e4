import { sql } from "kysely";
import pg, { type Pool, type QueryConfig } from "pg";
import { readRow } from "#lib/server/platform/db/run-query.ts";

/**
 * Keeps lost connections from ending the process, as an unhandled error would. The pool itself listens only while a
 * connection is idle, so each gets its own listener: a connection in use can be lost before its first query, and
 * between two. The current query, or the next one, still fails.
 */
export function hearErrors(pool: Pool, onError: (error: Error) => void): void {
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", () => {}));
}

/**
 * Returns the limits that a connection asks the database for as it opens. A pooler in transaction mode refuses them: they
 * would belong to whoever gets its connection next. Behind one the role has them (docs/scaling.md), and the client's own
 * limit holds in any case.
 */
export function serverLimits({ isPooled, statementMs }: { isPooled: boolean; statementMs: number }): {
  statement_timeout?: number;
} {
  return isPooled ? {} : { statement_timeout: statementMs };
}

/** Returns whether the database ends statements of this pool that take too long, whoever set the limit. */
export async function hasStatementLimit(pool: Pool): Promise<boolean> {
  const row = await readRow(
    pool,
    sql<{ limited: boolean }>`SELECT current_setting('statement_timeout') <> '0' AS limited`,
  );
  return row?.limited === true;
}

/**
 * Returns a pool that gives up on an answer after this time, and on the connection that owes it. It runs only queries
 * that need no connection of their own.
 */
export function poolWithTimeout(pool: Pool, answerWithinMs: number): Pool {
  const query = (statement: string | QueryConfig) => {
    const asked = typeof statement === "string" ? { text: statement } : statement;
    const limited = { ...asked, query_timeout: answerWithinMs };
    return pool.query(limited);
  };
  return { query } as unknown as Pool;
}

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
