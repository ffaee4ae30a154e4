import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { collectDefaultMetrics } from "prom-client";
import { type Environment, readEnvironment } from "#lib/server/config/environment.ts";
import { type LoadedConfig, loadConfig } from "#lib/server/config/load-config.ts";
import { listKnownMigrations, readSchemaReadiness } from "#lib/server/db/read-schema-readiness.ts";
import type { ClusterClient } from "#lib/server/kubernetes/cluster-client-types.ts";
import { createClusterClient } from "#lib/server/kubernetes/create-cluster-client.ts";
import { createLog } from "#lib/server/telemetry/create-log.ts";
import { createLoopMonitor } from "./loop-monitor.ts";
import { recordClusters } from "./record-clusters.ts";
import { createRecorderMetrics, type RecorderMetrics } from "./recorder-metrics.ts";
import { createRecorderPool } from "./recorder-pool.ts";
import { runUpkeep } from "./run-upkeep.ts";
import { serveProbes } from "./serve-probes.ts";

const stopWithinMs = 8000;

/**
 * The recorder process: records every source of the config until SIGTERM or SIGINT, or until its stdin ends where the
 * environment asks for that. Rejects with one line where it cannot start; a database that is down is waited for.
 */
export async function runRecorder(): Promise<void> {
  const environment = readEnvironment();
  if (environment.configFile === undefined) throw new Error("GATEHOUSE_CONFIG is not set: it names the config file");
  const url = environment.databaseDirectUrl;
  if (url === undefined) throw new Error("DATABASE_URL is not set");
  const loaded = await loadConfig({ file: environment.configFile, now: new Date() });
  const clients = createClients(loaded);
  const log = createLog({ level: environment.logLevel, process: "recorder" });
  const metrics = createRecorderMetrics();
  collectDefaultMetrics({ register: metrics.registry });
  const holder = `${hostname()}/${process.pid}/${randomUUID()}`;
  const pool = createRecorderPool({
    url,
    holder,
    onError: (error) => log.warn({ error: error.message }, "database connection"),
  });
  const monitor = createLoopMonitor({
    now: () => performance.now(),
    onTurn: (loop) => metrics.loopLastTurn.set({ loop }, Date.now() / 1000),
  });
  const stop = new AbortController();
  stopOnSignals(environment, stop);
  let notReady: string | undefined = "starting";
  const { recorder, probes } = loaded.config;
  const server = await serveProbes({
    ...recorder,
    monitor,
    metrics,
    isPublic: probes.public,
    notReady: () => notReady,
  });
  try {
    await waitForDatabase({ pool, log, metrics, signal: stop.signal });
    const clientOf = (cluster: string): ClusterClient => {
      const client = clients.get(cluster);
      if (client === undefined) throw new Error(`no cluster is named ${cluster}`);
      return client;
    };
    const clusterFor = (cluster: string): ClusterClient | undefined => clients.get(cluster);
    await Promise.all([
      recordClusters({ clusters: loaded.config.clusters, clientOf, pool, log, metrics, monitor, holder }, stop.signal),
      runUpkeep({ pool, clusterFor, log, monitor, metrics, holder }, stop.signal),
      watchDatabase({ pool, metrics, signal: stop.signal, onChange: (reason) => (notReady = reason) }),
    ]);
  } finally {
    stop.abort();
    server.close();
    server.closeAllConnections();
    await Promise.allSettled([...clients.values()].map((client) => client.close()));
    await pool.end();
  }
}

function createClients(loaded: LoadedConfig): Map<string, ClusterClient> {
  return new Map(loaded.config.clusters.map((cluster) => [cluster.name, createClusterClient(cluster)]));
}

/** Waits for a database that is down or not yet migrated. Throws for one that is newer than this program. */
async function waitForDatabase(options: {
  pool: Pool;
  log: Logger;
  metrics: RecorderMetrics;
  signal: AbortSignal;
}): Promise<void> {
  const { pool, log, metrics, signal } = options;
  const known = listKnownMigrations(join(import.meta.dirname, "../../../prisma/migrations"));
  let lastReason = "";
  for (let attempt = 0; !signal.aborted; attempt++) {
    const readiness = await readSchemaReadiness({ pool, known }).catch((error: Error) => {
      metrics.databaseErrors.inc();
      return { ok: false as const, reason: `the database cannot be reached: ${error.message}` };
    });
    if (readiness.ok) return;
    if (readiness.reason.startsWith("the schema is newer")) throw new Error(readiness.reason);
    if (readiness.reason !== lastReason) log.warn({ reason: readiness.reason }, "waiting for the database");
    lastReason = readiness.reason;
    await sleep(Math.min(5000, 250 * 2 ** attempt) * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {});
  }
}

/** Readiness is looked up ahead of the probe, which must answer at once. */
export async function watchDatabase(options: {
  pool: Pool;
  metrics?: Pick<RecorderMetrics, "databaseErrors">;
  signal: AbortSignal;
  onChange(reason: string | undefined): void;
}): Promise<void> {
  const { pool, metrics, signal, onChange } = options;
  // A database that is silent is as good as none: whoever asks for readiness is not kept waiting for long.
  const query = { text: "SELECT 1", query_timeout: 3000 };
  while (!signal.aborted) {
    await pool.query(query).then(
      () => onChange(undefined),
      (error: Error) => {
        metrics?.databaseErrors.inc();
        onChange(`the database cannot be reached: ${error.message}`);
      },
    );
    await sleep(1000, undefined, { signal }).catch(() => {});
  }
}

function stopOnSignals(environment: Environment, stop: AbortController): void {
  const begin = (): void => {
    if (stop.signal.aborted) return;
    stop.abort();
    // Whatever hangs then hangs on a system that does not answer; leases end by themselves.
    setTimeout(() => process.exit(0), stopWithinMs).unref();
  };
  process.once("SIGTERM", begin);
  process.once("SIGINT", begin);
  if (!environment.exitOnStdinClose) return;
  // The launcher holds our stdin open: its end means that the launcher is gone.
  process.stdin.once("end", begin).once("close", begin).once("error", begin);
  process.stdin.resume();
  // An open pipe must not keep the process alive once all is stopped.
  stop.signal.addEventListener("abort", () => process.stdin.destroy());
}
