import type { Pool, PoolClient } from "pg";

/**
 * Runs `work` in one transaction. A connection whose transaction failed unexpectedly is closed, not returned to the
 * pool.
 */
export async function inTransaction<Result>(pool: Pool, work: (tx: PoolClient) => Promise<Result>): Promise<Result> {
  const tx = await pool.connect();
  let broken: Error | undefined;
  try {
    await tx.query("BEGIN");
    const result = await work(tx);
    const { command } = await tx.query("COMMIT");
    // PostgreSQL answers so if a statement had failed and `work` went on all the same: nothing is stored.
    if (command === "ROLLBACK") throw new Error("the transaction was rolled back instead of being committed");
    return result;
  } catch (error) {
    if (isSilence(error)) broken = error;
    else
      await tx.query("ROLLBACK").catch((rollbackError: Error) => {
        broken = rollbackError;
      });
    throw error;
  } finally {
    tx.release(broken);
  }
}

/** Recognises the driver's own time-out. Any further statement would queue behind the one that got no answer. */
function isSilence(error: unknown): error is Error {
  return error instanceof Error && error.message === "Query read timeout";
}
