import type { Pool } from "pg";

/**
 * Keeps lost connections from ending the process: an error that nobody listens for would. The pool itself listens
 * only while a connection is idle, so each gets a listener of its own: one that is handed out can be lost before its
 * first query, and between two. The query under way, or the next one, still tells.
 */
export function hearErrors(pool: Pool, onError: (error: Error) => void): void {
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", () => {}));
}
