import type { Pool } from "pg";
import type { Logger } from "pino";
import type { LoadedConfig } from "#lib/server/config/load-config.ts";
import type { PrismaClient } from "#lib/server/db/generated/client.ts";
import type { ClusterClient } from "#lib/server/kubernetes/cluster-client-types.ts";

/** What every service of a process works with. Made once at start; `config()` is swapped whole on reload. */
export type Runtime = {
  config(): LoadedConfig;
  db: PrismaClient;
  /** Raw SQL: hot paths, advisory locks, the change log. */
  pool: Pool;
  /** Undefined for a cluster that the config does not name. */
  cluster(name: string): ClusterClient | undefined;
  log: Logger;
  now(): Date;
};
