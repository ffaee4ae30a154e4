import type { Pool } from "pg";

/**
 * Keeps lost connections from ending the process, as an unhandled error would. The pool itself listens only while a
 * connection is idle, so each gets its own listener: a connection in use can be lost before its first query, and
 * between two. The current query, or the next one, still fails.
 */
export function hearErrors(pool: Pool, onError: (error: Error) => void): void {
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", () => {}));
}
