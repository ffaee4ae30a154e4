import type { Pool } from "pg";
import { pino } from "pino";
import type { z } from "zod";
import { auditConfigEvents } from "#lib/server/audit/audit-config-events.ts";
import type { ConfigStore } from "#lib/server/platform/config/config-store.ts";
import { PolicyConfig } from "#lib/server/platform/config/policy-schema.ts";

/** Records the load of a config with these policies, as a web process does. */
export async function storePolicies(
  pool: Pool,
  policies: z.input<typeof PolicyConfig>,
  digest = "0".repeat(64),
): Promise<void> {
  const loaded = { digest, clusters: 1, bindings: 0, policies: PolicyConfig.parse(policies), needsRestart: [] };
  const store: Pick<ConfigStore, "subscribe"> = {
    subscribe(listener) {
      listener({ type: "loaded", ...loaded });
      return () => {};
    },
  };
  const stop = auditConfigEvents({ store, pool, log: pino({ level: "silent" }) });
  await stop();
}
