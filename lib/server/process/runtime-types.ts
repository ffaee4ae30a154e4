import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Role } from "#lib/contract/common.ts";
import type { AskTicket } from "#lib/domain/notify/ticket-events.ts";
import type { FreezePeriod } from "#lib/domain/policy/freeze.ts";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import type { ConfigStatus } from "#lib/server/platform/config/config-store.ts";
import type { LoadedConfig } from "#lib/server/platform/config/load-config.ts";
import type { TicketCheck } from "#lib/server/platform/config/policy-schema.ts";
import type { EvaluationPool } from "#lib/server/platform/evaluation/evaluation-pool.ts";

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
  askTicket: AskTicket<TicketCheck>;
  /** Only in the web process of a demo. */
  localAccounts?: LocalAccounts | undefined;
};

/** An account with a password and a fixed role: role bindings do not apply to it. */
export type LocalAccount = { role: Role; username: string; password: string; groups: readonly string[] };

/** Accounts that the start of the web process adds to those of the identity provider. Only the demo has some. */
export type LocalAccounts = {
  issuer: string;
  /** Names the sign-in method: in next-auth, in its path, and in the audit entry. */
  method: string;
  /** For people, in the singular: "Demo account". */
  label: string;
  /** Shown below the list of accounts on the sign-in page. */
  note: string;
  list: readonly LocalAccount[];
  /** Returns the account with these credentials; undefined for wrong ones. */
  check(credentials: { username: string; password: string }): LocalAccount | undefined;
};
