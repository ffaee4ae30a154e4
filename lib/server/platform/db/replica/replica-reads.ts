import type { Pool, PoolClient, QueryConfig, QueryResult } from "pg";
import { innerErrors, isConnectionError } from "#lib/server/platform/db/database-errors.ts";
import type { Detour, Replica } from "./replica.ts";
import { readWalPosition, type WalPosition } from "./wal-position.ts";

/**
 * Who answered: the replica, or the primary and why. `failed`: the replica failed midway; `no-place`: the primary's
 * place in the log could not be read.
 */
export type Answerer = "replica" | Detour | "failed" | "no-place";

/** The reads of one request. */
export type ReplicaReads = {
  /** Runs queries only: it has no connections to give. */
  pool: Pool;
  /** Who answers now; undefined before the first query. */
  answerer(): Answerer | undefined;
  /** Gives the connection back. Later queries, those of a stream, each take one of their own. */
  end(): void;
};

/**
 * Opens the reads of one request. The replica answers them only if it is current: the first query asks the primary for
 * its place in the log, and only a server that has replayed that far is read. So no answer is older than its request,
 * whatever the reader has written, received from the event stream, or read elsewhere before. In all other cases, and if
 * the replica fails midway, the primary answers.
 *
 * All queries of the request run on one connection, one after the other: two servers could be at different places.
 */
export function openReplicaReads({
  replica,
  primary,
  waitMs,
  onAnswer,
}: {
  replica: Replica;
  primary: Pool;
  waitMs: number;
  onAnswer: (answerer: Answerer) => void;
}): ReplicaReads {
  let answerer: Answerer | undefined;
  let wanted: Promise<WalPosition | undefined> | undefined;
  let held: Promise<PoolClient | undefined> | undefined;
  let hasEnded = false;
  let running = 0;

  const settle = (by: Answerer): void => {
    if (answerer === by) return;
    answerer = by;
    onAnswer(by);
  };
  const take = async (): Promise<PoolClient | undefined> => {
    const { state } = replica.state();
    if (state !== "in-use") return void settle(state);
    wanted ??= readWalPosition(primary).catch(() => undefined);
    const place = await wanted;
    if (place === undefined) return void settle("no-place");
    const leased = await replica.lease({ wanted: place, waitMs });
    if (typeof leased === "string") return void settle(leased);
    settle("replica");
    return leased;
  };
  const hasFailed = () => answerer !== undefined && answerer !== "replica";

  const query = async (statement: string | QueryConfig): Promise<QueryResult> => {
    if (hasFailed()) return primary.query(statement as QueryConfig);
    const isOwn = hasEnded;
    if (!isOwn) held ??= take();
    const client = await (isOwn ? take() : held);
    // Another query of the request may have found out meanwhile that the replica failed.
    if (client === undefined || hasFailed()) {
      if (isOwn) client?.release();
      return primary.query(statement as QueryConfig);
    }
    try {
      running += 1;
      const result = await client.query(statement as QueryConfig).finally(() => {
        running -= 1;
      });
      if (isOwn) client.release();
      return result;
    } catch (error) {
      const isOfReplica = isReplicaTrouble(error);
      if (isOwn) client.release(isOfReplica);
      if (!isOfReplica) throw error;
      if (isConnectionError(error)) replica.suspect(error);
      settle("failed");
      return primary.query(statement as QueryConfig);
    }
  };

  return {
    pool: { query } as unknown as Pool,
    answerer: () => answerer,
    end: () => {
      hasEnded = true;
      // A connection that failed, or that still runs an abandoned query, is not used again.
      void held?.then((client) => client?.release(hasFailed() || running > 0));
    },
  };
}

/**
 * 40001, 40P01: replay removed data that the read needs. Class 42: a table or column is missing, which is our mistake
 * only if the primary reports it as well.
 */
const replicaStates = /^(40001|40P01|42\w{3})$/;

function isReplicaTrouble(error: unknown): boolean {
  return isConnectionError(error) || innerErrors(error).some(({ code }) => replicaStates.test(code));
}
