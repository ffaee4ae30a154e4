import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import type { ConfigStore } from "#lib/server/platform/config/config-store.ts";
import type { ClusterClients } from "#lib/server/process/cluster-clients.ts";
import { type RecordOptions, recordClusters } from "#lib/server/recording/session/record-clusters.ts";
import { createBufferBudget } from "#lib/server/recording/store/buffer-budget.ts";

export type RecordConfiguredOptions = Omit<RecordOptions, "clusters" | "clientOf" | "recordedLabels"> & {
  store: Pick<ConfigStore, "current" | "subscribe">;
  clients: ClusterClients;
  mayMarkAbsent(): boolean;
};

type Recording = { key: string; stop: AbortController; done: Promise<void> };

/**
 * Records the clusters of the config in force until `signal` aborts. An added cluster is started. A removed or changed
 * one is ended in order (its batches stored, its leases given back). The others are not affected. Other labels to record
 * change all clusters: each rollout is read again.
 */
export async function recordConfigured(options: RecordConfiguredOptions, signal: AbortSignal): Promise<void> {
  const { store, clients, log } = options;
  const recordings = new Map<string, Recording>();
  const budget = createBufferBudget();
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();

  function begin(cluster: ClusterConfig, recordedLabels: readonly string[]): void {
    const client = clients.get(cluster.name);
    if (client === undefined) throw new Error(`no client was made for cluster ${cluster.name}`);
    const stop = new AbortController();
    const own = AbortSignal.any([signal, stop.signal]);
    const done = recordClusters(
      { budget, ...options, clusters: [cluster], recordedLabels, clientOf: () => client },
      own,
    );
    done.catch(fail);
    recordings.set(cluster.name, { key: keyOf(cluster, recordedLabels), stop, done });
  }

  async function end(name: string, recording: Recording): Promise<void> {
    recordings.delete(name);
    recording.stop.abort();
    await recording.done;
  }

  async function follow(): Promise<void> {
    if (signal.aborted) return;
    const { clusters, recording } = store.current().config;
    const wanted = new Map(clusters.map((cluster) => [cluster.name, keyOf(cluster, recording.labels)]));
    const stale = [...recordings].filter(([name, { key }]) => wanted.get(name) !== key);
    await Promise.all(stale.map(([name, recording]) => end(name, recording)));
    if (signal.aborted) return;
    const added = clusters.filter(({ name }) => !recordings.has(name));
    for (const cluster of added) begin(cluster, recording.labels);
    if (stale.length + added.length > 0)
      log.info({ ended: stale.map(([name]) => name), begun: added.map(({ name }) => name) }, "clusters recorded");
  }

  let turn = Promise.resolve();
  const unsubscribe = store.subscribe((event) => {
    if (event.type !== "loaded") return;
    turn = turn.then(follow);
    turn.catch(fail);
  });
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  try {
    await Promise.race([aborted, failed]);
  } finally {
    unsubscribe();
    await turn.catch(() => {});
    await Promise.allSettled([...recordings.values()].map(({ done }) => done));
  }
}

function keyOf(cluster: ClusterConfig, recordedLabels: readonly string[]): string {
  return JSON.stringify([cluster, recordedLabels]);
}
