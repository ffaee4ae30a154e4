import { acquireLease, type Lease, LeaseLostError, leaseSeconds, releaseLease, renewLease } from "./lease.ts";
import { awaitTurning, pause } from "./pause.ts";
import { sourceLabels } from "./recorder-metrics.ts";
import type { SessionOptions } from "./session-types.ts";
import { runSourceSession } from "./source-session.ts";

export type RunSourceOptions = Omit<SessionOptions, "lease" | "onTurn"> & {
  /** Names this process among those that want the lease. */
  holder: string;
  onTurn(): void;
  renewEveryMs?: number;
  acquireEveryMs?: number;
};

/** Records one source for as long as the process lives: waits for its lease, records while it is ours, begins again. */
export async function runSource(options: RunSourceOptions, signal: AbortSignal): Promise<void> {
  const { source, pool, holder, log, metrics, onTurn, acquireEveryMs = 2000 } = options;
  let failures = 0;
  while (!signal.aborted) {
    onTurn();
    try {
      const lease = await awaitTurning(acquireLease(pool, { sourceId: source.id, holder }), onTurn);
      metrics.leader.set(sourceLabels(source), lease === undefined ? 0 : 1);
      if (lease !== undefined) await runWithLease(options, lease, signal);
      failures = 0;
    } catch (error) {
      failures++;
      const level = error instanceof LeaseLostError ? "info" : "warn";
      log[level](
        { source: source.id, error: error instanceof Error ? error.message : String(error) },
        "source stopped",
      );
    }
    options.writer.reset();
    if (!signal.aborted)
      await pause(acquireEveryMs * Math.min(4, 1 + failures) * (0.5 + Math.random() / 2), { signal, onTurn });
  }
}

async function runWithLease(options: RunSourceOptions, lease: Lease, outer: AbortSignal): Promise<void> {
  const { source, pool, metrics, log } = options;
  const labels = sourceLabels(source);
  const lost = new AbortController();
  const ended = new AbortController();
  const signal = AbortSignal.any([outer, lost.signal]);
  metrics.leaseTransitions.inc({ ...labels, to: "held" });
  const keeper = keepLease({ options, lease, lost, signal: AbortSignal.any([signal, ended.signal]) });
  try {
    await runSourceSession({ ...options, lease }, signal);
    if (lost.signal.aborted && !outer.aborted) throw lost.signal.reason;
  } finally {
    ended.abort();
    await keeper;
    metrics.leader.set(labels, 0);
    metrics.leaseTransitions.inc({ ...labels, to: "lost" });
    if (!lost.signal.aborted)
      await releaseLease(pool, lease).catch((error: Error) =>
        log.warn({ source: source.id, error: error.message }, "lease could not be released; it ends by itself"),
      );
  }
}

/** Renews until told to stop. Past its expiry without an answer of the database the lease counts as lost. */
async function keepLease(keep: {
  options: RunSourceOptions;
  lease: Lease;
  lost: AbortController;
  signal: AbortSignal;
}): Promise<void> {
  const { options, lease, lost, signal } = keep;
  let renewedAt = options.now();
  while (!signal.aborted) {
    await pause(options.renewEveryMs ?? 3000, { signal });
    if (signal.aborted) return;
    const startedAt = options.now();
    try {
      await renewLease(options.pool, lease);
      renewedAt = startedAt;
    } catch (error) {
      if (error instanceof LeaseLostError) lost.abort(error);
      else if (options.now() - renewedAt > leaseSeconds * 1000)
        lost.abort(new Error(`the lease of ${lease.sourceId} could not be renewed: ${String(error)}`));
    }
  }
}
