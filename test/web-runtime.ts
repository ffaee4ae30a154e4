import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { pino } from "pino";
import { createDemoAccounts, type DemoAccounts } from "#demo/accounts.ts";
import { ensureDemoRows } from "#demo/ensure-demo-rows.ts";
import type { Role } from "#lib/contract/common.ts";
import { watchFreezes } from "#lib/server/acting/freezes/watch-freezes.ts";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { writeUnavailablePage } from "#lib/server/edge/http/unavailable-page.ts";
import { askTicket } from "#lib/server/notify/channels/ask-ticket.ts";
import { createTokenSecret } from "#lib/server/people/auth/token-secret.ts";
import { Config } from "#lib/server/platform/config/config-schema.ts";
import { setAuthUrl } from "#lib/server/platform/config/environment.ts";
import { createWebPool } from "#lib/server/platform/db/pools.ts";
import { listKnownMigrations } from "#lib/server/platform/db/read-schema-readiness.ts";
import { watchReplica } from "#lib/server/platform/db/replica/replica.ts";
import { createLoopMonitor, type LoopMonitor } from "#lib/server/platform/telemetry/loop-monitor.ts";
import { createWebMetrics } from "#lib/server/platform/telemetry/web-metrics.ts";
import { changeFeedTurnMs, startChangeFeed } from "#lib/server/process/change-feed.ts";
import { watchWebHealth } from "#lib/server/process/watch-web-health.ts";
import { setWebRuntime, type WebRuntime } from "#lib/server/process/web-runtime.ts";
import { completeConfig, watchSettings } from "#lib/server/records/stored-settings.ts";
import { createRateLimiter } from "#lib/util/rate-limiter.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { sharedEvaluations } from "#test/shared-evaluations.ts";

export const testOrigin = "http://127.0.0.1:7460";

export const testAccounts: DemoAccounts = {
  viewer: { username: "viewer", password: "viewer-password" },
  operator: { username: "operator", password: "operator-password" },
  admin: { username: "admin", password: "admin-password" },
};

export type TestWeb = {
  runtime: WebRuntime;
  database: TestDatabase;
  tokens: Record<Role, string>;
  /** Makes a request of a program; without `as` it has no credentials. */
  request(path: string, init?: RequestInit & { as?: Role }): Request;
  /** Adds another replica: same database, config and secret. The first one keeps serving; see `setWebRuntime`. */
  addReplica(): WebRuntime;
  close(): Promise<void>;
};

export type TestWebOptions = {
  config?: Record<string, unknown>;
  oidcClientSecret?: string;
  clusters?: Record<string, ClusterClient>;
  /** A shared database, which its creator drops; by default a separate one. */
  database?: TestDatabase;
  /** Another way to the database: one that does not answer, or a pooler. */
  databaseUrl?: string;
  /** The connection without a pooler; by default `databaseUrl` is one. */
  directUrl?: string;
  /** A standby of the database. */
  readUrl?: string;
  /** How far it may be behind. */
  maxLagMs?: number;
  monitor?: LoopMonitor;
};

/** Starts the web process's runtime on a separate database, as the route handlers of this test file find it. */
export async function startTestWeb(options: TestWebOptions = {}): Promise<TestWeb> {
  const database = options.database ?? (await createTestDatabase());
  const tokens = { viewer: createTokenSecret(), operator: createTokenSecret(), admin: createTokenSecret() };
  await ensureDemoRows(database.ownerUrl, { accounts: testAccounts, tokens, credentials: [] });
  const databaseUrl = options.databaseUrl ?? database.webUrl;
  const runtime = createTestRuntime({ ...options, databaseUrl });
  // Pages leave out explanations that take more than two seconds, and a test machine may be busy.
  await runtime.evaluations.warm();
  setWebRuntime(runtime);
  const replicas: WebRuntime[] = [];
  return {
    runtime,
    database,
    tokens,
    request: (path, { as, ...init } = {}) => {
      const headers = new Headers(init.headers);
      if (as !== undefined) headers.set("authorization", `Bearer ${tokens[as]}`);
      if (init.body !== undefined && !headers.has("content-type")) headers.set("content-type", "application/json");
      return new Request(new URL(path, testOrigin), { ...init, headers });
    },
    addReplica: () => {
      const replica = { ...createTestRuntime({ ...options, databaseUrl }), secret: runtime.secret };
      replicas.push(replica);
      return replica;
    },
    close: async () => {
      setWebRuntime(undefined);
      await Promise.all([runtime, ...replicas].map((each) => each.close()));
      if (options.database === undefined) await database.drop();
    },
  };
}

function createTestRuntime(options: TestWebOptions & { databaseUrl: string }): WebRuntime {
  const config = Config.parse({
    publicUrl: testOrigin,
    demo: { accountsFile: "unused" },
    clusters: [{ name: "demo", server: "http://127.0.0.1:1", access: "act" }],
    ...options.config,
  });
  setAuthUrl(config.publicUrl);
  const loaded = {
    config,
    file: "test",
    loadedAt: new Date(),
    digest: "0".repeat(64),
    oidcClientSecret: options.oidcClientSecret,
  };
  const { directUrl = options.databaseUrl } = options;
  const log = pino({ level: "silent" });
  const metrics = createWebMetrics({ withProcess: false });
  const onDatabaseError = () => metrics.databaseErrors.inc();
  const pool = createWebPool({
    url: options.databaseUrl,
    isPooled: directUrl !== options.databaseUrl,
    onError: onDatabaseError,
  });
  const knownMigrations = listKnownMigrations(join(import.meta.dirname, "../prisma/migrations"));
  const monitor = options.monitor ?? createLoopMonitor({ now: () => performance.now(), onTurn: () => {} });
  const changes = startChangeFeed({
    pool,
    directUrl,
    log,
    onDatabaseError,
    onTurn: () => monitor.turn("change-feed", changeFeedTurnMs),
  });
  const { readUrl, maxLagMs = 5000 } = options;
  const replica =
    readUrl === undefined
      ? undefined
      : watchReplica({
          ...{ url: readUrl, primary: pool, maxLagMs, log, now: () => new Date() },
          lookEveryMs: 100,
        });
  const freezes = watchFreezes({ pool, changes, log });
  const settings = watchSettings({ pool, changes, log });
  return {
    environment: {
      configFile: "test",
      databaseUrl: options.databaseUrl,
      databaseDirectUrl: directUrl,
      secret: undefined,
      logLevel: "silent",
      exitOnStdinClose: false,
      recorderSharesRole: false,
      isProduction: false,
    },
    secret: randomUUID() + randomUUID(),
    localAccounts: config.demo === undefined ? undefined : createDemoAccounts(testAccounts),
    config: completeConfig(() => loaded, settings.current),
    configStatus: () => ({
      state: "ok",
      digest: loaded.digest,
      loadedAt: loaded.loadedAt,
      trouble: undefined,
      needsRestart: [],
    }),
    checkConfig: async () => {},
    health: watchWebHealth({ pool, known: knownMigrations, onDatabaseError, log, waitMs: 5000 }),
    replica,
    pool,
    cluster: (name) => options.clusters?.[name],
    evaluations: sharedEvaluations(),
    log,
    now: () => new Date(),
    changes,
    freezes: freezes.current,
    askTicket,
    monitor,
    metrics,
    signInLimiter: createRateLimiter({ limit: 10, windowSeconds: 300 }),
    tokenLimiter: createRateLimiter({ limit: 30, windowSeconds: 60 }),
    knownMigrations,
    writeUnavailablePage,
    close: async () => {
      freezes.close();
      settings.close();
      await changes.close();
      await replica?.close();
      await pool.end().catch(() => {});
    },
  };
}
