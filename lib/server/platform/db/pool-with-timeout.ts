import type { Pool, QueryConfig } from "pg";

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
