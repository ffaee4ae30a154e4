import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import { hearErrors, serverLimits } from "#lib/server/platform/db/pools.ts";
import { computeBackoff } from "#lib/util/compute-backoff.ts";
import { hasReached, type ReplayState, readReplayState, readWalPosition, type WalPosition } from "./wal-position.ts";

/** Why the primary answered instead. `not-reached`: the replica had not replayed far enough within the time to wait. */
export type Detour = Exclude<ReplicaState["state"], "in-use"> | "not-reached";

/** A standby of the database, which answers reads that it can answer as the primary would. */
export type Replica = {
  state(): ReplicaState & { since: Date };
  /**
   * Returns a connection to a server that has replayed up to `wanted`; waits for that at most `waitMs`. Else says why
   * not. The caller releases the connection.
   */
  lease(asked: { wanted: WalPosition; waitMs: number }): Promise<pg.PoolClient | Detour>;
  /** Reports a connection that failed: the next reads go to the primary until the replica answers again. */
  suspect(error: unknown): void;
  /** A replica that is further behind is not asked; the longest that a patient read waits for it. */
  readonly maxLagMs: number;
  close(): Promise<void>;
};

type Options = {
  url: string;
  /** The primary, whose place in the log is compared with the replica's. */
  primary: pg.Pool;
  maxLagMs: number;
  log: Pick<Logger, "info" | "warn">;
  now: () => Date;
  onState?: (state: ReplicaState) => void;
  lookEveryMs?: number;
};

const answerWithinMs = 1000;
const longestPauseMs = 30_000;
const pollMs = 5;
/** After a read has waited in vain, those that would not wait longer than this do not wait, for this long. */
const restMs = 1000;

/** Starts to watch a replica. One that is down or behind fails no read, and is looked at again, ever less often. */
export function watchReplica(options: Options): Replica {
  const { primary, maxLagMs, log, now, onState = () => {}, lookEveryMs = 1000 } = options;
  const pool = createReplicaPool(options.url);
  const stop = new AbortController();
  let samples: PrimarySample[] = [];
  let state: ReplicaState = { state: "starting", lagMs: undefined };
  let since = now();
  let restUntilMs = 0;
  let failures = 0;

  const setState = (next: ReplicaState): void => {
    if (next.state !== state.state) {
      since = now();
      const level = next.state === "in-use" ? "info" : "warn";
      log[level]({ ...next }, next.state === "in-use" ? "the read replica is in use" : "the primary answers all reads");
    }
    state = next;
    onState(next);
  };
  const isUsable = () => state.state === "in-use";

  const look = async (): Promise<void> => {
    const atMs = performance.now();
    // Without an answer the older samples count, and the replica's data is the older the longer that lasts.
    const position = await readWalPosition(primary).catch(() => undefined);
    if (position !== undefined) samples = keepSample(samples, { atMs, position });
    try {
      const replay = await readReplayState(pool, { answerWithinMs });
      failures = 0;
      setState(judgeReplica(replay, { samples, nowMs: performance.now(), maxLagMs }));
    } catch (error) {
      failures += 1;
      suspect(error);
    }
  };
  const suspect = (error: unknown): void => {
    if (stop.signal.aborted) return;
    setState({ state: "down", lagMs: undefined, reason: error instanceof Error ? error.message : String(error) });
  };
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await look();
      const doublings = Math.max(0, failures - 1);
      const pauseMs = computeBackoff({ firstMs: lookEveryMs, longestMs: longestPauseMs, doublings });
      await sleep(pauseMs, undefined, { signal: stop.signal, ref: false }).catch(() => {});
    }
  };
  const running = run();

  const lease: Replica["lease"] = async ({ wanted, waitMs }) => {
    if (!isUsable()) return detourOf(state);
    const mayWait = waitMs >= restMs || performance.now() >= restUntilMs;
    const until = performance.now() + (mayWait ? waitMs : 0);
    let client: pg.PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      suspect(error);
      return "down";
    }
    try {
      for (;;) {
        const { isStandby, position } = await readReplayState(client, { answerWithinMs });
        if (isStandby && hasReached(position, wanted)) return client;
        const isHopeless = !isStandby || position?.timeline !== wanted.timeline || !isUsable();
        if (isHopeless || performance.now() >= until) break;
        await sleep(pollMs);
      }
    } catch (error) {
      client.release(true);
      suspect(error);
      return "down";
    }
    client.release();
    if (mayWait && waitMs < restMs) restUntilMs = performance.now() + restMs;
    return "not-reached";
  };

  return {
    state: () => ({ ...state, since }),
    lease,
    suspect,
    maxLagMs,
    close: async () => {
      stop.abort();
      await running;
      await pool.end().catch(() => {});
    },
  };
}

function detourOf({ state }: ReplicaState): Detour {
  return state === "in-use" ? "not-reached" : state;
}

/**
 * Creates the pool of the replica. A pooler in transaction mode refuses its settings, and must: it could send the check
 * to one server and the read to another.
 */
function createReplicaPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: answerWithinMs,
    idleTimeoutMillis: 30_000,
    ...serverLimits({ isPooled: false, statementMs: 15_000 }),
    query_timeout: 20_000,
    keepAlive: true,
    application_name: "gatehouse-web-reads",
  });
  hearErrors(pool, () => {});
  return pool;
}

/** The primary's position, with the time on this process's own clock just before the primary was asked. */
export type PrimarySample = { atMs: number; position: WalPosition };

type ReplicaState =
  /** `lagMs`: undefined before the first look at it, and if it is further behind than this process remembers. */
  | { state: "in-use" | "behind" | "starting"; lagMs: number | undefined }
  | { state: "other-timeline" | "not-a-standby"; lagMs: undefined }
  | { state: "down"; lagMs: undefined; reason: string };

/** How many samples are kept, one a second: a replica further behind than that is "more than a minute". */
const keptSamples = 60;

export function keepSample(samples: readonly PrimarySample[], sample: PrimarySample): PrimarySample[] {
  return [...samples, sample].slice(-keptSamples);
}

/**
 * Computes how old the replica's data may be: the time since the last sample of the primary that the replica has
 * reached. No server's clock is involved, and an idle primary makes no lag, since its samples are all the same place.
 */
export function computeLag(
  samples: readonly PrimarySample[],
  { replayed, nowMs }: { replayed: WalPosition; nowMs: number },
): number | undefined {
  const reached = samples.findLast(({ position }) => hasReached(replayed, position));
  return reached === undefined ? undefined : Math.max(0, nowMs - reached.atMs);
}

/** Judges whether reads may be tried on the replica. Each read checks its own server again. */
export function judgeReplica(
  { isStandby, position }: ReplayState,
  { samples, nowMs, maxLagMs }: { samples: readonly PrimarySample[]; nowMs: number; maxLagMs: number },
): ReplicaState {
  if (!isStandby) return { state: "not-a-standby", lagMs: undefined };
  const newest = samples.at(-1);
  if (position === undefined || newest === undefined) return { state: "starting", lagMs: undefined };
  if (position.timeline !== newest.position.timeline) return { state: "other-timeline", lagMs: undefined };
  const lagMs = computeLag(samples, { replayed: position, nowMs });
  return { state: lagMs !== undefined && lagMs <= maxLagMs ? "in-use" : "behind", lagMs };
}
