import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { hasReached, readReplayState, readWalPosition } from "#lib/server/platform/db/replica/wal-position.ts";

/**
 * Asks the primary how far it has written, and waits until the read replica has replayed that, `maxLagMs` at most.
 * Throws why the web process would not use it.
 */
export async function checkReadReplica(options: {
  readUrl: string;
  primaryUrl: string;
  maxLagMs: number;
}): Promise<string> {
  const { readUrl, primaryUrl, maxLagMs } = options;
  const [primary, replica] = [connect(primaryUrl), connect(readUrl)];
  try {
    const wanted = await readWalPosition(primary);
    const startMs = performance.now();
    for (;;) {
      const { isStandby, position } = await readReplayState(replica, { answerWithinMs: 4000 });
      if (!isStandby)
        throw new Error("the server of DATABASE_READ_URL is not a standby: the web process does not read it");
      const tookMs = Math.round(performance.now() - startMs);
      if (hasReached(position, wanted))
        return `a standby, which had replayed what the primary wrote after ${tookMs} ms`;
      if (position !== undefined && position.timeline !== wanted.timeline)
        throw new Error(
          `it is on timeline ${position.timeline} and the primary on ${wanted.timeline}: it does not follow this primary, or has not noted that yet (after a fail-over: until its next restart point)`,
        );
      if (tookMs > maxLagMs)
        throw new Error(
          `it is more than ${maxLagMs} ms behind (DATABASE_READ_MAX_LAG_MS): the primary answers all reads`,
        );
      await sleep(20);
    }
  } finally {
    await Promise.all([primary.end(), replica.end()]);
  }
}

function connect(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, connectionTimeoutMillis: 4000, max: 1 });
  pool.on("error", () => {});
  return pool;
}
