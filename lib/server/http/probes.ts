import { randomUUID } from "node:crypto";
import { Status } from "#lib/contract/system.ts";
import { authenticate } from "#lib/server/auth/authenticate.ts";
import { readSchemaReadiness } from "#lib/server/db/read-schema-readiness.ts";
import { clientAddress } from "#lib/server/http/client-address.ts";
import { problemResponse } from "#lib/server/http/problem-response.ts";
import { findWebRuntime, getWebRuntime, type WebRuntime } from "#lib/server/runtime/web-runtime.ts";
import { readSources, serializeSource } from "#lib/server/services/system/source-freshness.ts";

/** 200 where requests can be served: the process runs and the database answers with our schema; else 503. */
export async function answerReadiness(): Promise<Response> {
  const reason = await findUnreadiness(findWebRuntime());
  const headers = { "content-type": "text/plain", "cache-control": "no-store" };
  return new Response(reason === undefined ? "ok\n" : `not ready: ${reason}\n`, {
    status: reason === undefined ? 200 : 503,
    headers,
  });
}

/** `{ready}` for everybody; the whole for whoever is signed in, sends a token, or where probes are public. */
export async function answerStatus(request: Request): Promise<Response> {
  const runtime = findWebRuntime();
  const headers = { "cache-control": "no-store" };
  const reason = await findUnreadiness(runtime);
  const ready = reason === undefined;
  if (runtime === undefined || !(await mayReadProbes(runtime, request))) return Response.json({ ready }, { headers });
  const loaded = runtime.config();
  const sources = await readSources(runtime).catch(() => undefined);
  const status: Status = {
    ready,
    config: { state: "ok", loadedAt: loaded.loadedAt.toISOString() },
    database: { ok: ready && sources !== undefined, grantsEnforced: !runtime.environment.recorderSharesRole },
    sources: (sources ?? []).map(serializeSource),
  };
  return Response.json(Status.parse(status), { headers });
}

/** Prometheus text. Needs a token or a session unless `probes.public` is set. */
export async function answerMetrics(request: Request): Promise<Response> {
  const requestId = randomUUID();
  try {
    const runtime = getWebRuntime();
    if (!runtime.config().config.probes.public) await identify(runtime, request);
    runtime.metrics.streamClients.set(runtime.changes.listenerCount());
    return new Response(await runtime.metrics.registry.metrics(), {
      headers: { "content-type": runtime.metrics.registry.contentType, "cache-control": "no-store" },
    });
  } catch (thrown) {
    return problemResponse({ thrown, requestId, runtime: findWebRuntime() });
  }
}

async function findUnreadiness(runtime: WebRuntime | undefined): Promise<string | undefined> {
  if (runtime === undefined) return "starting";
  try {
    const readiness = await readSchemaReadiness({ pool: runtime.pool, known: runtime.knownMigrations });
    return readiness.ok ? undefined : readiness.reason;
  } catch (error) {
    runtime.metrics.databaseErrors.inc();
    runtime.log.warn({ err: error }, "database is not reachable");
    return "the database cannot be reached";
  }
}

async function mayReadProbes(runtime: WebRuntime, request: Request): Promise<boolean> {
  if (runtime.config().config.probes.public) return true;
  return identify(runtime, request).then(
    () => true,
    () => false,
  );
}

async function identify(runtime: WebRuntime, request: Request) {
  return authenticate({ runtime, headers: request.headers, address: clientAddress(request.headers) });
}
