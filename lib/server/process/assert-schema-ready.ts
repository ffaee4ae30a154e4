import { ServiceError } from "#lib/server/actor/service-error.ts";
import { readSchemaReadiness } from "#lib/server/db/read-schema-readiness.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";

const verified = new WeakSet<WebRuntime>();

/**
 * Nothing is read or written on a schema that is not ours. Looked up until it fits once: a schema only changes by
 * `gatehouse migrate`, and `/readyz` keeps looking.
 */
export async function assertSchemaReady(runtime: WebRuntime): Promise<void> {
  if (verified.has(runtime)) return;
  const readiness = await readSchemaReadiness({ pool: runtime.pool, known: runtime.knownMigrations });
  if (!readiness.ok) throw new ServiceError("unavailable", `The database is not ready: ${readiness.reason}.`);
  verified.add(runtime);
}
