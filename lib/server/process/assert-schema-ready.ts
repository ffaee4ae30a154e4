import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { readSchemaReadiness } from "#lib/server/platform/db/read-schema-readiness.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";

const verified = new WeakSet<WebRuntime>();

/**
 * Throws unless the schema is ours: no other schema is read or written. Checks until it matches once: a schema only
 * changes by `gatehouse migrate`, and `/readyz` keeps checking.
 */
export async function assertSchemaReady(runtime: WebRuntime): Promise<void> {
  if (verified.has(runtime)) return;
  const readiness = await readSchemaReadiness({ pool: runtime.pool, known: runtime.knownMigrations });
  if (!readiness.ok) throw new ServiceError("unavailable", `The database is not ready: ${readiness.reason}.`);
  verified.add(runtime);
}
