import { join } from "node:path";
import type { Pool } from "pg";
import { readDemoAccounts } from "#lib/server/auth/demo-accounts.ts";
import type { Environment } from "#lib/server/config/environment.ts";
import { loadConfig } from "#lib/server/config/load-config.ts";
import { setAuthUrl } from "#lib/server/config/set-auth-url.ts";
import { createDatabase } from "#lib/server/db/create-database.ts";
import { listKnownMigrations, readSchemaReadiness } from "#lib/server/db/read-schema-readiness.ts";
import { createRateLimiter } from "#lib/server/http/rate-limiter.ts";
import type { ClusterClient } from "#lib/server/kubernetes/cluster-client-types.ts";
import { createClusterClient } from "#lib/server/kubernetes/create-cluster-client.ts";
import { startChangeFeed } from "#lib/server/runtime/change-feed.ts";
import type { WebRuntime } from "#lib/server/runtime/web-runtime.ts";
import { createLog } from "#lib/server/telemetry/create-log.ts";
import { createWebMetrics } from "#lib/server/telemetry/web-metrics.ts";

const minSecretLength = 32;

/**
 * Makes the runtime of the web process. Throws one clear line for a config or secret that cannot be used; a database
 * or cluster that is down is no reason to fail: requests answer `unavailable` until it is back.
 */
export async function startWebRuntime({
  environment,
  directory,
  now,
}: {
  environment: Environment;
  /** Folder of the program, which holds `prisma/migrations`. */
  directory: string;
  now: () => Date;
}): Promise<WebRuntime> {
  const { configFile, databaseUrl, databaseDirectUrl, secret } = environment;
  if (configFile === undefined) throw new Error("GATEHOUSE_CONFIG is not set: it names the config file");
  const loaded = await loadConfig({ file: configFile, now: now() });
  if (databaseUrl === undefined || databaseDirectUrl === undefined) throw new Error("DATABASE_URL is not set");
  if (secret === undefined || secret.length < minSecretLength)
    throw new Error(`GATEHOUSE_SECRET is ${secret === undefined ? "not set" : "too short"}: at least 32 characters`);
  setAuthUrl(loaded.config.publicUrl);
  const demo = loaded.config.demo;
  const demoAccounts = demo === undefined ? undefined : await readDemoAccounts(demo.accountsFile);
  const log = createLog({ level: environment.logLevel, process: "web" });
  const clusters = new Map<string, ClusterClient>();
  for (const cluster of loaded.config.clusters) clusters.set(cluster.name, await createClusterClient(cluster));
  const metrics = createWebMetrics();
  const onDatabaseError = () => metrics.databaseErrors.inc();
  const database = createDatabase({ url: databaseUrl, onError: onDatabaseError });
  const knownMigrations = listKnownMigrations(join(directory, "prisma", "migrations"));
  await refuseNewerSchema({ pool: database.pool, knownMigrations });
  const changes = startChangeFeed({ pool: database.pool, directUrl: databaseDirectUrl, log, onDatabaseError });
  return {
    environment,
    secret,
    demoAccounts,
    config: () => loaded,
    db: database.db,
    pool: database.pool,
    cluster: (name) => clusters.get(name),
    log,
    now,
    changes,
    metrics,
    signInLimiter: createRateLimiter({ limit: 10, windowSeconds: 300 }),
    tokenLimiter: createRateLimiter({ limit: 30, windowSeconds: 60 }),
    failedSignInAuditLimiter: createRateLimiter({ limit: 200, windowSeconds: 300 }),
    knownMigrations,
    close: async () => {
      await changes.close();
      await Promise.all([...clusters.values()].map((cluster) => cluster.close().catch(() => {})));
      await database.close();
    },
  };
}

/** A database that cannot be reached now may be any: `/readyz` and every request look again. */
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
