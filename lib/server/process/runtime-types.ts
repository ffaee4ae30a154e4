import type { Pool } from "pg";
import type { Logger } from "pino";
import type { FreezePeriod } from "#lib/domain/policy/freeze.ts";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import type { ConfigStatus } from "#lib/server/platform/config/config-store.ts";
import type { LoadedConfig } from "#lib/server/platform/config/load-config.ts";
import type { EvaluationPool } from "#lib/server/platform/evaluation/evaluation-pool.ts";
import type { LocalAccounts } from "#lib/server/process/local-accounts.ts";

/** What every service of a process uses. Created once at start; `config()` is swapped whole on reload. */
export type Runtime = {
  config(): LoadedConfig;
  /** Returns how the file on disk relates to that config: on `error` nothing advances, nothing is deleted by age. */
  configStatus(): ConfigStatus;
  pool: Pool;
  /** Returns undefined for a cluster that the config does not name. */
  cluster(name: string): ClusterClient | undefined;
  /** Evaluates and explains conditions: they are untrusted input, and never run on the main thread. */
  evaluations: EvaluationPool;
  log: Logger;
  now(): Date;
  /** Returns the freezes that people made and that have not ended, as this process last heard of them. */
  freezes(): readonly FreezePeriod[];
  /** Only in the web process of a demo. */
  localAccounts?: LocalAccounts | undefined;
};
