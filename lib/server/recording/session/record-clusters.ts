import type { Pool } from "pg";
import type { Logger } from "pino";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import type { LoopMonitor } from "#lib/server/platform/telemetry/loop-monitor.ts";
import { createKindWriter } from "#lib/server/recording/kinds/create-kind-writer.ts";
import { type GuardOptions, guardWriter } from "#lib/server/recording/kinds/guard-writer.ts";
import type { KindWriter } from "#lib/server/recording/store/batch-types.ts";
import { type RecorderMetrics, sourceLabels } from "#lib/server/recording/store/recorder-metrics.ts";
import { holdLease } from "./hold-lease.ts";
import { pause } from "./pause.ts";
import type { SessionOptions, SessionTiming } from "./session-types.ts";
import { runSourceSession } from "./source-session.ts";
import { defaultTiming } from "./source-state.ts";

export type RecordOptions = {
  clusters: readonly Pick<ClusterConfig, "name" | "namespaces" | "staleAfterSeconds">[];
  clientOf(cluster: string): ClusterClient;
  /** `recording.labels` of the config. */
  recordedLabels?: readonly string[];
  pool: Pool;
  log: Logger;
  metrics: RecorderMetrics;
  monitor: LoopMonitor;
  /** Names this process among those that compete for a lease. */
  holder: string;
  timing?: Partial<SessionTiming>;
  buffer?: SessionOptions["buffer"];
  budget?: SessionOptions["budget"];
  /** Large objects are redacted in a thread that can be killed. */
  evaluations: GuardOptions["evaluations"];
  redactWithinMs?: GuardOptions["redactWithinMs"];
  /** Returns false while missing objects must not be marked absent. If omitted, they may be. */
  mayMarkAbsent?(): boolean;
  renewEveryMs?: number;
  acquireEveryMs?: number;
};

export const sessionTiming: Omit<SessionTiming, "staleAfterMs"> = {
  ...defaultTiming,
  readEveryMs: 20_000,
  watchSeconds: 25,
  watchGraceMs: 10_000,
  confirmAfterMs: [10_000, 60_000],
};

/**
 * Derives the session's timing. It seeks contact at least three times within the limit, so one late answer is
 * tolerated.
 */
export function timingFor(staleAfterSeconds: number): SessionTiming {
  const staleAfterMs = staleAfterSeconds * 1000;
  return {
    ...sessionTiming,
    staleAfterMs,
    readEveryMs: Math.min(sessionTiming.readEveryMs, staleAfterMs / 3),
    watchSeconds: Math.min(sessionTiming.watchSeconds, Math.floor(staleAfterSeconds / 3)),
  };
}

/** How long workloads wait for their rollouts: another recorder may have the lease, or the cluster may not answer. */
const rolloutsFirstMs = 5000;

/**
 * Records every source of the clusters until `signal` aborts. Sources are independent: a failing one affects no other.
 * The first list of workloads waits a moment for that of the rollouts: only workloads that a rollout names are stored
 * with their pod templates.
 */
export async function recordClusters(options: RecordOptions, signal: AbortSignal): Promise<void> {
  await Promise.all(options.clusters.map((cluster) => recordCluster(cluster, options, signal)));
}

async function recordCluster(
  cluster: RecordOptions["clusters"][number],
  options: RecordOptions,
  signal: AbortSignal,
): Promise<void> {
  const { clientOf, monitor, metrics, recordedLabels } = options;
  const sources = sourcesOf(cluster, recordedLabels).map((source) => ({
    source,
    listed: Promise.withResolvers<void>(),
  }));
  const rolloutsListed = Promise.all(
    sources.flatMap(({ source, listed }) => (source.recordedAs === "rollout" ? listed.promise : [])),
  );
  await Promise.all(
    sources.map(async ({ source, listed }) => {
      const timing = { ...timingFor(cluster.staleAfterSeconds), ...options.timing };
      const loop = `source/${source.id}`;
      const periodMs = timing.watchSeconds * 1000 + timing.watchGraceMs + 5000;
      if (source.recordedAs === "deployment") await Promise.race([rolloutsListed, pause(rolloutsFirstMs, { signal })]);
      await runSource(
        {
          ...options,
          source,
          client: clientOf(cluster.name),
          createWriter: () => guardWriter(createKindWriter(source, metrics), { ...options, source }),
          timing,
          mayMarkAbsent: () => options.mayMarkAbsent?.() ?? true,
          now: () => performance.now(),
          onTurn: () => monitor.turn(loop, periodMs),
          onStep: () => listed.resolve(),
        },
        signal,
      );
      monitor.forget(loop);
    }),
  );
}

type RunSourceOptions = Omit<SessionOptions, "lease" | "writer"> & {
  /**
   * Creates a writer for one session. A writer's memory is valid only while nobody else writes. A late answer to a
   * batch of an earlier session must not reach the memory of the next one.
   */
  createWriter(): KindWriter;
  /** Names this process among those that compete for the lease. */
  holder: string;
  renewEveryMs?: number;
  acquireEveryMs?: number;
};

/** Records one source for as long as the process lives: waits for its lease, records while holding it, starts over. */
async function runSource(options: RunSourceOptions, signal: AbortSignal): Promise<void> {
  const { source, createWriter, ...rest } = options;
  await holdLease({ ...rest, sourceId: source.id, labels: sourceLabels(source) }, signal, (lease, own) =>
    runSourceSession({ ...rest, source, writer: createWriter(), lease }, own),
  );
}
