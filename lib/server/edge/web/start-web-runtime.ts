import { join } from "node:path";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { watchFreezes } from "#lib/server/acting/freezes/watch-freezes.ts";
import { reportOwnAccounts } from "#lib/server/acting/permission/own-accounts.ts";
import { auditConfigEvents } from "#lib/server/audit/audit-config-events.ts";
import { writeUnavailablePage } from "#lib/server/edge/http/unavailable-page.ts";
import { askTicket } from "#lib/server/notify/channels/ask-ticket.ts";
import { markRestrictedTokens } from "#lib/server/people/auth/mark-restricted-tokens.ts";
import { isChangeConfirmed, logConfigEvents } from "#lib/server/platform/config/config-events.ts";
import { openConfigStore } from "#lib/server/platform/config/config-store.ts";
import { type Environment, isPooled, readMaxLagMs, setAuthUrl } from "#lib/server/platform/config/environment.ts";
import { createWebPool, hasStatementLimit } from "#lib/server/platform/db/pools.ts";
import { listKnownMigrations, readSchemaReadiness } from "#lib/server/platform/db/read-schema-readiness.ts";
import { type Replica, watchReplica } from "#lib/server/platform/db/replica/replica.ts";
import { createEvaluationPool } from "#lib/server/platform/evaluation/evaluation-pool.ts";
import { createLog } from "#lib/server/platform/telemetry/create-log.ts";
import { createLoopMonitor } from "#lib/server/platform/telemetry/loop-monitor.ts";
import { startTracing, stopTracing } from "#lib/server/platform/telemetry/start-tracing.ts";
import { createWebMetrics, type WebMetrics } from "#lib/server/platform/telemetry/web-metrics.ts";
import { changeFeedTurnMs, startChangeFeed } from "#lib/server/process/change-feed.ts";
import { createClusterClients } from "#lib/server/process/cluster-clients.ts";
import type { LocalAccounts } from "#lib/server/process/runtime-types.ts";
import { watchWebHealth } from "#lib/server/process/watch-web-health.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";
import { completeConfig, watchSettings } from "#lib/server/records/stored-settings.ts";
import { createRateLimiter } from "#lib/util/rate-limiter.ts";

/** Reads the accounts of `demo.accountsFile`; called only if the config has `demo`. */
export type ReadDemoAccounts = (file: string) => Promise<LocalAccounts>;

const minSecretLength = 32;

/**
 * Creates the runtime of the web process. Throws a one-line error for an unusable config or secret. A database or
 * cluster that is down is not a failure: requests answer `unavailable` until it is back.
 */
export async function startWebRuntime({
  environment,
  directory,
  evaluationWorker,
  now,
  readDemoAccounts,
}: {
  environment: Environment;
  /** Folder of the program, which contains `prisma/migrations`. */
  directory: string;
  /** The file of the evaluation's threads. */
  evaluationWorker: string;
  now: () => Date;
  readDemoAccounts: ReadDemoAccounts;
}): Promise<WebRuntime> {
  const { configFile, databaseUrl, databaseDirectUrl, secret } = environment;
  if (configFile === undefined) throw new Error("GATEHOUSE_CONFIG is not set: it names the config file");
  if (databaseUrl === undefined || databaseDirectUrl === undefined) throw new Error("DATABASE_URL is not set");
  if (secret === undefined || secret.length < minSecretLength)
    throw new Error(`GATEHOUSE_SECRET is ${secret === undefined ? "not set" : "too short"}: at least 32 characters`);
  const maxLagMs = readMaxLagMs(environment);
  const log = createLog({ level: environment.logLevel, process: "web" });
  await startTracing({ settings: environment.tracing, process: "web", log });
  const metrics = createWebMetrics();
  const onDatabaseError = () => metrics.databaseErrors.inc();
  const pool = createWebPool({ url: databaseUrl, isPooled: isPooled(environment), onError: onDatabaseError });
  const knownMigrations = listKnownMigrations(join(directory, "prisma", "migrations"));
  const clusters = createClusterClients();
  const evaluations = createEvaluationPool({ file: evaluationWorker, threads: 2 });
  // Loading the engine takes seconds on a busy machine, and the first page that needs it waits at most two.
  void evaluations.warm();
  const store = await openConfigStore({
    file: configFile,
    now,
    metrics: metrics.config,
    adopt: ({ config }) => clusters.adopt(config.clusters),
    isConfirmed: (change) => isChangeConfirmed(pool, change),
  });
  const { publicUrl, demo } = store.current().config;
  setAuthUrl(publicUrl);
  const localAccounts = demo === undefined ? undefined : await readDemoAccounts(demo.accountsFile);
  await refuseNewerSchema({ pool, knownMigrations });
  if (isPooled(environment)) await warnWithoutLimit(pool, log);
  logConfigEvents(store, log);
  const stopAuditing = auditConfigEvents({ store, pool, log });
  const stopReporting = reportOwnAccounts({ store, clusterFor: clusters.get, pool, log });
  const stopMarking = markRestrictedTokens({ store, pool, log });
  const health = watchWebHealth({ pool, known: knownMigrations, onDatabaseError, log });
  const replica = startReplica({
    url: environment.databaseReadUrl,
    primary: pool,
    maxLagMs,
    log,
    now,
    metrics,
  });
  const monitor = createLoopMonitor({
    now: () => performance.now(),
    onTurn: (loop) => metrics.loopLastTurn.set({ loop }, Date.now() / 1000),
  });
  const changes = startChangeFeed({
    pool,
    directUrl: databaseDirectUrl,
    log,
    onDatabaseError,
    onTurn: () => monitor.turn("change-feed", changeFeedTurnMs),
  });
  const freezes = watchFreezes({ pool, changes, log });
  const settings = watchSettings({ pool, changes, log });
  return {
    environment,
    secret,
    localAccounts,
    config: completeConfig(store.current, settings.current),
    configStatus: store.status,
    checkConfig: store.check,
    health,
    replica,
    pool,
    cluster: (name) => clusters.get(name),
    evaluations,
    log,
    now,
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
      await Promise.all([
        changes.close(),
        replica?.close(),
        store.close(),
        stopAuditing(),
        stopMarking(),
        stopReporting(),
        clusters.close(),
        evaluations.close(),
        stopTracing(),
      ]);
      await pool.end().catch(() => {});
    },
  };
}

/** Starts to watch the read replica, if there is one. A replica that is down fails nothing. */
function startReplica({
  url,
  metrics,
  ...options
}: Omit<Parameters<typeof watchReplica>[0], "url" | "onState"> & {
  url: string | undefined;
  metrics: WebMetrics;
}): Replica | undefined {
  // Neither 0 nor 1: nothing is to be alerted of.
  metrics.replicaInUse.set(Number.NaN);
  metrics.replicaLag.set(Number.NaN);
  if (url === undefined) return undefined;
  return watchReplica({
    ...options,
    url,
    onState: ({ state, lagMs }) => {
      metrics.replicaInUse.set(state === "in-use" ? 1 : 0);
      metrics.replicaLag.set(lagMs === undefined ? Number.NaN : lagMs / 1000);
    },
  });
}

/** Refuses a newer schema. An unreachable database may have any schema: `/readyz` and every request check again. */
async function refuseNewerSchema({
  pool,
  knownMigrations,
}: {
  pool: Pool;
  knownMigrations: readonly string[];
}): Promise<void> {
  const readiness = await readSchemaReadiness({ pool, known: knownMigrations }).catch(() => undefined);
  if (readiness?.ok === false && readiness.isNewer)
    throw new Error(`${readiness.reason}: start the version of Gatehouse that migrated this database, or a later one`);
}

/** Warns if nothing but the client ends a statement that takes too long. A database that is down is not judged. */
async function warnWithoutLimit(pool: Pool, log: Logger): Promise<void> {
  const isLimited = await hasStatementLimit(pool).catch(() => true);
  if (!isLimited)
    log.warn("DATABASE_URL leads through a pooler, and its role has no statement_timeout: see docs/scaling.md");
}
