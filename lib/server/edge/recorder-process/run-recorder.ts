import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { collectDefaultMetrics } from "@prometheus-io/client";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Status } from "#lib/contract/system.ts";
import { createBarrierTasks } from "#lib/server/holds/create-barrier-tasks.ts";
import { createHoldTask } from "#lib/server/holds/create-hold-task.ts";
import { askTicket } from "#lib/server/notify/channels/ask-ticket.ts";
import { isChangeConfirmed, logConfigEvents } from "#lib/server/platform/config/config-events.ts";
import { openConfigStore } from "#lib/server/platform/config/config-store.ts";
import { type Environment, readEnvironment } from "#lib/server/platform/config/environment.ts";
import { evaluationWorker, projectRoot } from "#lib/server/platform/config/program-files.ts";
import { listKnownMigrations, readSchemaReadiness } from "#lib/server/platform/db/read-schema-readiness.ts";
import { createEvaluationPool } from "#lib/server/platform/evaluation/evaluation-pool.ts";
import { createLog } from "#lib/server/platform/telemetry/create-log.ts";
import { createLoopMonitor, type LoopMonitor } from "#lib/server/platform/telemetry/loop-monitor.ts";
import { startTracing, stopTracing } from "#lib/server/platform/telemetry/start-tracing.ts";
import { keepListening } from "#lib/server/process/change-bell.ts";
import { createClusterClients } from "#lib/server/process/cluster-clients.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { createRecorderMetrics, type RecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";
import { createRecorderPool } from "#lib/server/recording/store/recorder-pool.ts";
import { computeBackoff } from "#lib/util/compute-backoff.ts";
import { recordConfigured } from "./record-configured.ts";
import { createRecorderHealth, describeRecorder } from "./recorder-health.ts";
import { runUpkeep } from "./run-upkeep.ts";

const stopWithinMs = 8000;

/**
 * Runs the recorder process: records every source of the config until SIGTERM or SIGINT, or until its stdin ends if the
 * environment asks for that. Rejects with one line if it cannot start; a database that is down is waited for.
 */
export async function runRecorder(): Promise<void> {
  const environment = readEnvironment();
  if (environment.configFile === undefined) throw new Error("GATEHOUSE_CONFIG is not set: it names the config file");
  const url = environment.databaseDirectUrl;
  if (url === undefined) throw new Error("DATABASE_URL is not set");
  const log = createLog({ level: environment.logLevel, process: "recorder" });
  await startTracing({ settings: environment.tracing, process: "recorder", log });
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
  const clients = createClusterClients();
  const store = await openConfigStore({
    file: environment.configFile,
    now: () => new Date(),
    metrics: metrics.config,
    skipOidcSecret: true,
    adopt: ({ config }) => clients.adopt(config.clusters),
    isConfirmed: (change) => isChangeConfirmed(pool, change),
  });
  logConfigEvents(store, log);
  const known = listKnownMigrations(join(projectRoot, "prisma/migrations"));
  const evaluations = createEvaluationPool({
    file: evaluationWorker,
    // One for the check of verdicts, and two for the clusters' large objects.
    threads: 3,
    // Runs end in bursts: a thread takes 40 MB, and a tenth of a second of processor time to start.
    endIdleMs: 15_000,
  });
  // What runs is not waited for: the next recorder does it.
  stop.signal.addEventListener("abort", () => void evaluations.close());
  const auditStreams = () => store.current().config.auditStreams;
  const health = createRecorderHealth({ pool, known, metrics, auditStreams });
  const grantsEnforced = !environment.recorderSharesRole;
  const server = await serveProbes({
    ...store.current().config.recorder,
    monitor,
    metrics,
    get isPublic() {
      return store.current().config.probes.public;
    },
    notReady: health.notReady,
    status: () => describeRecorder({ store, health, grantsEnforced }),
  });
  // An unusable config says nothing about which objects are gone.
  const mayMarkAbsent = (): boolean => store.status().state !== "error";
  const shared = { pool, log, metrics, monitor, holder };
  const runtime: Runtime = {
    config: store.current,
    configStatus: store.status,
    // A pause is subject to no freeze; the lift of one reads them itself.
    freezes: () => [],
    askTicket,
    pool,
    cluster: clients.get,
    evaluations,
    log,
    now: () => new Date(),
  };
  let ring = (): void => {};
  const stopListening = keepListening({ url, name: "gatehouse-recorder-listen", log, onWake: () => ring() });
  const onBell = (to: () => void): void => {
    ring = to;
  };
  const held = {
    placeHolds: createHoldTask(runtime),
    barriers: createBarrierTasks(runtime),
  };
  try {
    const work = waitForDatabase({ pool, known, log, metrics, signal: stop.signal }).then(() =>
      Promise.all([
        recordConfigured({ ...shared, store, clients, evaluations, mayMarkAbsent }, stop.signal),
        runUpkeep({ ...shared, ...held, store, clusterFor: clients.get, evaluations, onBell }, stop.signal),
      ]),
    );
    await Promise.all([work, health.watch(stop.signal)]);
  } finally {
    stop.abort();
    await stopListening();
    server.close();
    server.closeAllConnections();
    await store.close();
    await clients.close();
    await evaluations.close();
    await pool.end();
    await stopTracing();
  }
}

/** Waits for a database that is down or not yet migrated. Throws if it is newer than this program. */
async function waitForDatabase(options: {
  pool: Pool;
  known: readonly string[];
  log: Logger;
  metrics: RecorderMetrics;
  signal: AbortSignal;
}): Promise<void> {
  const { pool, known, log, metrics, signal } = options;
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
    const afterMs = computeBackoff({ firstMs: 250, longestMs: 5000, doublings: attempt, random: Math.random() });
    await sleep(afterMs, undefined, { signal }).catch(() => {});
  }
}

function stopOnSignals(environment: Environment, stop: AbortController): void {
  const begin = (): void => {
    if (stop.signal.aborted) return;
    stop.abort();
    // Anything that still hangs then waits for a system that does not answer; leases end by themselves.
    setTimeout(() => process.exit(0), stopWithinMs).unref();
  };
  process.once("SIGTERM", begin);
  process.once("SIGINT", begin);
  if (!environment.exitOnStdinClose) return;
  // Stops when stdin ends: the launcher holds it open, so its end means that the launcher is gone.
  process.stdin.once("end", begin).once("close", begin).once("error", begin);
  process.stdin.resume();
  // An open pipe must not keep the process alive once everything has stopped.
  stop.signal.addEventListener("abort", () => process.stdin.destroy());
}

type ProbeOptions = {
  host: string;
  port: number;
  monitor: LoopMonitor;
  metrics: RecorderMetrics;
  /** Why a restart would help, apart from a stuck loop: a bad config, if the config asks for that. */
  /** Why the recorder is not ready; undefined if it is. */
  notReady(): string | undefined;
  /** Answers from memory, without waiting. */
  status?(): Status;
  /** Whether metrics and status are public, or only for this machine. Read at each request. */
  readonly isPublic: boolean;
};

/**
 * Serves `/livez` (503 when a loop of ours is stuck: a restart would help), `/readyz` (503 without database), `/status`
 * and `/metrics`. Clusters affect neither probe. Rejects with one line if the address cannot be used.
 */
export async function serveProbes(options: ProbeOptions): Promise<Server> {
  const server = createServer((request, response) => {
    answer(options, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        new Error(
          `the recorder cannot listen on ${options.host}:${options.port} (${error.code ?? error.message}): set recorder.host and recorder.port in the config`,
        ),
      ),
    );
    server.listen(options.port, options.host, resolve);
  });
  return server;
}

async function answer(options: ProbeOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? "").split("?")[0];
  const send = (status: number, text: string, type = "text/plain; charset=utf-8"): void => {
    response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(text);
  };
  const mayReadAll = options.isPublic || isLoopback(request.socket.remoteAddress);
  if (request.method !== "GET" && request.method !== "HEAD") return send(405, "method not allowed\n");
  if (path === "/livez") {
    const stuck = options.monitor.findStuck();
    return stuck.length === 0 ? send(200, "ok\n") : send(503, `stuck: ${stuck.join(", ")}\n`);
  }
  if (path === "/readyz") {
    const reason = options.notReady();
    return reason === undefined ? send(200, "ok\n") : send(503, `${reason}\n`);
  }
  if (path === "/status" && options.status !== undefined) {
    const status = mayReadAll ? options.status() : { ready: options.notReady() === undefined };
    return send(200, JSON.stringify(status), "application/json");
  }
  if (path !== "/metrics") return send(404, "not found\n");
  if (!mayReadAll) return send(403, "metrics are open to this machine only: set probes.public in the config\n");
  const { registry } = options.metrics;
  send(200, await registry.metrics(), registry.contentType);
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(::1|(::ffff:)?127\.)/.test(address);
}
