import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { pino } from "pino";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { createClusterClient } from "#lib/server/clusters/kubernetes/create-cluster-client.ts";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { createLoopMonitor, type LoopMonitor } from "#lib/server/platform/telemetry/loop-monitor.ts";
import { type RecordOptions, recordClusters } from "#lib/server/recording/session/record-clusters.ts";
import { createRecorderMetrics, type RecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";
import { createRecorderPool } from "#lib/server/recording/store/recorder-pool.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { type SandboxServer, startSandboxServer } from "./sandbox-server.ts";
import { sharedEvaluations } from "./shared-evaluations.ts";
import { createTestPool } from "./test-pool.ts";

export type RunningRecorder = {
  metrics: RecorderMetrics;
  monitor: LoopMonitor;
  pool: pg.Pool;
  holder: string;
  stop(): Promise<void>;
};

export type RecorderWorld = {
  sandbox: SandboxServer;
  database: TestDatabase;
  cluster: string;
  config: ClusterConfig;
  /** The recorder's credentials; rewriting the file changes them. */
  tokenFile: string;
  /** Queries as the owner, who sees and changes everything. */
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  client(): ClusterClient;
  /** Resolves once every source is live, unless told not to wait. */
  start(options?: Partial<RecordOptions> & { waitUntilLive?: boolean }): Promise<RunningRecorder>;
  stopAll(): Promise<void>;
  close(): Promise<void>;
};

/** Creates a separate database and API server, with recorders between them in this process. */
export async function createRecorderWorld(
  options: Parameters<typeof startSandboxServer>[0] & { cluster?: Partial<ClusterConfig> } = {},
): Promise<RecorderWorld> {
  const { cluster, ...sandboxOptions } = options;
  const database = await createTestDatabase();
  const sandbox = await startSandboxServer(sandboxOptions);
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-recorder-"));
  const tokenFile = join(directory, "token");
  writeFileSync(tokenFile, sandbox.token);
  const config = ClusterConfig.parse({ name: "test", server: sandbox.url, tokenFile, access: "act", ...cluster });
  const owner = createTestPool(database.ownerUrl, 2);
  owner.on("error", () => {});
  sandbox.store.create(
    "namespaces",
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } },
    { manager: "test" },
  );
  const running = new Set<RunningRecorder>();

  const query: RecorderWorld["query"] = async (sql, values) => (await owner.query(sql, values)).rows as never;
  const client = (): ClusterClient => createClusterClient(config);

  async function start(options: Partial<RecordOptions> & { waitUntilLive?: boolean } = {}): Promise<RunningRecorder> {
    const { waitUntilLive = true, ...overrides } = options;
    const [before] = await query<{ at: string }>("SELECT clock_timestamp()::text AS at");
    const pool = createRecorderPool({ url: database.recorderUrl, onError: () => {} });
    const metrics = overrides.metrics ?? createRecorderMetrics();
    const monitor = overrides.monitor ?? createLoopMonitor({ now: () => performance.now(), onTurn: () => {} });
    const stop = new AbortController();
    const own = client();
    const holder = overrides.holder ?? randomUUID();
    const done = recordClusters(
      {
        clusters: [config],
        clientOf: () => own,
        pool,
        log: pino({ level: "silent" }),
        metrics,
        monitor,
        evaluations: sharedEvaluations(),
        acquireEveryMs: 100,
        renewEveryMs: 500,
        holder,
        ...overrides,
      },
      stop.signal,
    );
    const recorder: RunningRecorder = {
      metrics,
      monitor,
      pool,
      holder,
      async stop() {
        running.delete(recorder);
        stop.abort();
        await done;
        await own.close();
        await pool.end();
      },
    };
    running.add(recorder);
    if (waitUntilLive)
      await waitFor("all sources live", async () => {
        // The previous state remains until the recorder with the lease begins.
        const rows = await query<{ state: string }>(
          "SELECT state FROM source JOIN source_lease ON source_id = id WHERE holder = $1 AND synced_at > $2",
          [holder, before?.at],
        );
        return rows.length === sourcesOf(config).length && rows.every((row) => row.state === "live");
      });
    return recorder;
  }

  async function stopAll(): Promise<void> {
    await Promise.all([...running].map((recorder) => recorder.stop()));
  }

  return {
    sandbox,
    database,
    cluster: config.name,
    config,
    tokenFile,
    query,
    client,
    start,
    stopAll,
    async close() {
      await stopAll();
      await sandbox.close();
      await owner.end();
      await database.drop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** For hangs alone: a busy machine may take its time. Longer than any test needs, shorter than the tests' own limit. */
const hangMs = 120_000;

/** Polls until `check` returns something truthy; fails with `what` if it hangs. */
export async function waitFor<Result>(
  what: string,
  check: () => Promise<Result | undefined | false> | Result | undefined | false,
): Promise<Result> {
  const until = performance.now() + hangMs;
  for (;;) {
    const result = await check();
    if (result !== undefined && result !== false) return result;
    if (performance.now() > until) throw new Error(`waited ${hangMs / 1000} s in vain for: ${what}`);
    await sleep(20);
  }
}
