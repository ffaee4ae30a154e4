import type { Pool } from "pg";
import type { Logger } from "pino";
import {
  acquireLease,
  isLeaseLostError,
  type Lease,
  leaseSeconds,
  releaseLease,
  renewLease,
} from "#lib/server/recording/store/lease.ts";
import type { RecorderMetrics, SourceLabels } from "#lib/server/recording/store/recorder-metrics.ts";
import { awaitTurning, pause } from "./pause.ts";

export type HoldLeaseOptions = {
  pool: Pool;
  /** The source that the lease covers. */
  sourceId: string;
  labels: SourceLabels;
  /** Names this process among those that compete for the lease. */
  holder: string;
  log: Logger;
  metrics: RecorderMetrics;
  /** Monotonic milliseconds. */
  now(): number;
  onTurn(): void;
  renewEveryMs?: number;
  acquireEveryMs?: number;
};

/**
 * Runs `work` whenever we hold the lease, for as long as the process lives. Waits for the lease, works until it is lost
 * or the work fails, then starts over. The work's signal aborts when another process has the lease.
 */
export async function holdLease(
  options: HoldLeaseOptions,
  signal: AbortSignal,
  work: (lease: Lease, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { pool, sourceId, labels, holder, log, metrics, onTurn, acquireEveryMs = 2000 } = options;
  let failures = 0;
  while (!signal.aborted) {
    onTurn();
    let lease: Lease | undefined;
    try {
      lease = await awaitTurning(acquireLease(pool, { sourceId, holder }), onTurn);
      metrics.leader.set(labels, lease === undefined ? 0 : 1);
      failures = 0;
      if (lease !== undefined) await workWithLease({ options, lease, outer: signal, work });
    } catch (error) {
      failures++;
      // No lease was acquired: it is the database that does not answer properly.
      if (lease === undefined) metrics.databaseErrors.inc();
      const level = isLeaseLostError(error) ? "info" : "warn";
      log[level]({ source: sourceId, error: error instanceof Error ? error.message : String(error) }, "source stopped");
    }
    // At most twice the usual wait: brief trouble must not delay a take-over.
    if (!signal.aborted)
      await pause(acquireEveryMs * Math.min(2, 1 + failures) * (0.5 + Math.random() / 2), { signal, onTurn });
  }
}

async function workWithLease(hold: {
  options: HoldLeaseOptions;
  lease: Lease;
  outer: AbortSignal;
  work: (lease: Lease, signal: AbortSignal) => Promise<void>;
}): Promise<void> {
  const { options, lease, outer, work } = hold;
  const { pool, sourceId, labels, metrics, log } = options;
  const lost = new AbortController();
  const ended = new AbortController();
  const signal = AbortSignal.any([outer, lost.signal]);
  metrics.leaseTransitions.inc({ ...labels, to: "held" });
  const keeper = keepLease({ options, lease, lost, signal: AbortSignal.any([signal, ended.signal]) });
  try {
    await work(lease, signal);
    if (lost.signal.aborted && !outer.aborted) throw lost.signal.reason;
  } finally {
    ended.abort();
    metrics.leader.set(labels, 0);
    metrics.leaseTransitions.inc({ ...labels, to: "lost" });
    await keeper;
    if (!lost.signal.aborted)
      await releaseLease(pool, lease).catch((error: Error) =>
        log.warn({ source: sourceId, error: error.message }, "lease could not be released; it ends by itself"),
      );
  }
}

/**
 * Renews the lease until told to stop. If the database does not answer until the lease expires, its holder is unknown.
 * We then do not count as leader but go on: every batch checks the lease again, and the buffer keeps received objects.
 * If no other process took the lease meanwhile, it becomes valid again.
 */
async function keepLease(keep: {
  options: HoldLeaseOptions;
  lease: Lease;
  lost: AbortController;
  signal: AbortSignal;
}): Promise<void> {
  const { options, lease, lost, signal } = keep;
  const { pool, labels, metrics, now, renewEveryMs = 3000 } = options;
  let renewedAt = now();
  let waitMs = renewEveryMs;
  const judge = (): void => {
    if (!signal.aborted) metrics.leader.set(labels, now() - renewedAt > leaseSeconds * 1000 ? 0 : 1);
  };
  while (!signal.aborted) {
    await pause(waitMs, { signal });
    if (signal.aborted) return;
    const startedAt = now();
    const doubt = setInterval(judge, 1000);
    try {
      await renewLease(pool, lease);
      renewedAt = startedAt;
    } catch (error) {
      if (isLeaseLostError(error)) lost.abort(error);
      else metrics.databaseErrors.inc();
    } finally {
      clearInterval(doubt);
    }
    judge();
    // All leases of a process are renewed at the same times, so that they share a statement.
    waitMs = Math.ceil(renewEveryMs - (now() % renewEveryMs));
  }
}
