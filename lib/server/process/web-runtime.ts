import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { Environment } from "#lib/server/platform/config/environment.ts";
import type { Replica } from "#lib/server/platform/db/replica/replica.ts";
import type { LoopMonitor } from "#lib/server/platform/telemetry/loop-monitor.ts";
import type { WebMetrics } from "#lib/server/platform/telemetry/web-metrics.ts";
import type { ChangeFeed } from "#lib/server/process/change-feed.ts";
import type { LocalAccounts, Runtime } from "#lib/server/process/runtime-types.ts";
import type { WebHealth } from "#lib/server/process/watch-web-health.ts";
import type { RateLimiter } from "#lib/util/rate-limiter.ts";

/** The runtime of the web process, which extends that of its services. */
export type WebRuntime = Runtime & {
  environment: Environment;
  /** Signs session cookies. */
  secret: string;
  localAccounts: LocalAccounts | undefined;
  changes: ChangeFeed;
  /** Whether the process's own loops are turning. */
  monitor: Pick<LoopMonitor, "findStuck">;
  health: WebHealth;
  /** The read replica, if one is configured; only `lib/server/edge/http/replica-endpoints.ts` reads it. */
  replica?: Replica | undefined;
  /** Checks the config file now, as the process does by itself every few seconds. */
  checkConfig(): Promise<void>;
  metrics: WebMetrics;
  signInLimiter: RateLimiter;
  tokenLimiter: RateLimiter;
  knownMigrations: readonly string[];
  /** Writes the page for when the database is down. Here, since the proxy's bundle would need copies of the providers. */
  writeUnavailablePage(path: string, basePath: string): string;
  close(): Promise<void>;
};

// Next bundles instrumentation and each route separately, so a module variable would exist several times.
const handle = Symbol.for("gatehouse.web-runtime");
type Holder = { [handle]?: WebRuntime };

export function setWebRuntime(runtime: WebRuntime | undefined): void {
  (globalThis as Holder)[handle] = runtime;
}

export function findWebRuntime(): WebRuntime | undefined {
  return (globalThis as Holder)[handle];
}

/** Returns the runtime of this process; throws `unavailable` before it exists. */
export function getWebRuntime(): WebRuntime {
  const runtime = findWebRuntime();
  if (runtime === undefined) throw new ServiceError("unavailable", "Gatehouse is starting; try again in a moment.");
  return runtime;
}
