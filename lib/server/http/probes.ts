import { randomUUID } from "node:crypto";
import { Status } from "#lib/contract/system.ts";
import { authenticate } from "#lib/server/auth/authenticate.ts";
import { clientAddress } from "#lib/server/http/client-address.ts";
import { problemResponse } from "#lib/server/http/problem-response.ts";
import { findWebRuntime, getWebRuntime, type WebRuntime } from "#lib/server/runtime/web-runtime.ts";
import { serializeConfigStatus } from "#lib/server/services/system/config-status.ts";
import { serializeSource } from "#lib/server/services/system/source-freshness.ts";

const text = { "content-type": "text/plain", "cache-control": "no-store" };

/** The process answers and its loop turns. Nothing outside is looked at; a bad config counts only where the config says so. */
export function answerLiveness(): Response {
  const runtime = findWebRuntime();
  const stuck = runtime?.monitor.findStuck() ?? [];
  const failure = runtime === undefined ? undefined : findConfigFailure(runtime);
  const reason = stuck.length === 0 ? failure : `stuck: ${stuck.join(", ")}`;
  return new Response(reason === undefined ? "ok\n" : `${reason}\n`, {
    status: reason === undefined ? 200 : 503,
    headers: text,
  });
}

/** 200 where requests can be served: the process runs and the database answers with our schema; else 503. */
export async function answerReadiness(): Promise<Response> {
  const reason = await findUnreadiness(findWebRuntime());
  return new Response(reason === undefined ? "ok\n" : `not ready: ${reason}\n`, {
    status: reason === undefined ? 200 : 503,
    headers: text,
  });
}

/** `{ready}` for everybody; the whole for whoever is signed in, sends a token, or where probes are public. */
export async function answerStatus(request: Request): Promise<Response> {
  const runtime = findWebRuntime();
  const headers = { "cache-control": "no-store" };
  if (runtime === undefined) return Response.json({ ready: false }, { headers });
  const [{ notReady, sources }, mayRead] = await Promise.all([runtime.health.look(), mayReadProbes(runtime, request)]);
  const ready = notReady === undefined;
  if (!mayRead) return Response.json({ ready }, { headers });
  const { clusters } = runtime.config().config;
  const status: Status = {
    ready,
    config: serializeConfigStatus(runtime.configStatus()),
    database: { ok: ready && sources !== undefined, grantsEnforced: !runtime.environment.recorderSharesRole },
    sources: (sources ?? []).map((source) => serializeSource(source, clusters)),
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

function findConfigFailure(runtime: WebRuntime): string | undefined {
  const { trouble } = runtime.configStatus();
  if (trouble?.state !== "error" || !runtime.config().config.onConfigError.failLiveness) return undefined;
  return `config: ${trouble.error}`;
}

async function findUnreadiness(runtime: WebRuntime | undefined): Promise<string | undefined> {
  if (runtime === undefined) return "starting";
  return (await runtime.health.look()).notReady;
}

/** A token is looked up in the database, which may hang; whoever asks for the status is then nobody. */
async function mayReadProbes(runtime: WebRuntime, request: Request): Promise<boolean> {
  if (runtime.config().config.probes.public) return true;
  const isKnown = identify(runtime, request).then(
    () => true,
    () => false,
  );
  const { promise: limit, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), runtime.health.waitMs);
  return Promise.race([isKnown, limit]).finally(() => clearTimeout(timer));
}

async function identify(runtime: WebRuntime, request: Request) {
  return authenticate({ runtime, headers: request.headers, address: clientAddress(request.headers) });
}
