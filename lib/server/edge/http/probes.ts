import { randomUUID } from "node:crypto";
import { type AuditStreamStatus, type ReplicaStatus, type Source, Status } from "#lib/contract/system.ts";
import { type Rights, readsEverything } from "#lib/domain/policy/rights.ts";
import { withinScope } from "#lib/server/admin/list-sources.ts";
import { serializeSource } from "#lib/server/clusters/sources/serialize-source.ts";
import { clientAddress } from "#lib/server/edge/http/client-address.ts";
import { problemResponse } from "#lib/server/edge/http/problem-response.ts";
import { readStreamStates } from "#lib/server/notify/audit-streams/read-stream-states.ts";
import { authenticate } from "#lib/server/people/auth/authenticate.ts";
import { seesCluster } from "#lib/server/people/permission/read-scope.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { serializeConfigStatus, withoutNames } from "#lib/server/platform/config/config-status.ts";
import type { Replica } from "#lib/server/platform/db/replica/replica.ts";
import type { HealthAnswer } from "#lib/server/process/watch-web-health.ts";
import { findWebRuntime, getWebRuntime, type WebRuntime } from "#lib/server/process/web-runtime.ts";

const text = { "content-type": "text/plain", "cache-control": "no-store" };

/** Answers that the process and its loops run. Checks nothing outside, and no config: a restart would not mend it. */
export function answerLiveness(): Response {
  const stuck = findWebRuntime()?.monitor.findStuck() ?? [];
  return stuck.length === 0
    ? new Response("ok\n", { headers: text })
    : new Response(`stuck: ${stuck.join(", ")}\n`, { status: 503, headers: text });
}

/** Answers 200 if requests can be served: the process runs and the database answers with our schema; else 503. */
export async function answerReadiness(): Promise<Response> {
  const reason = await findUnreadiness(findWebRuntime());
  return new Response(reason === undefined ? "ok\n" : `not ready: ${reason}\n`, {
    status: reason === undefined ? 200 : 503,
    headers: text,
  });
}

/**
 * Answers `{ready}` for everybody. Signed-in people, tokens, and everybody if probes are public, get the whole status,
 * with only the clusters that the caller sees.
 */
export async function answerStatus(request: Request): Promise<Response> {
  const runtime = findWebRuntime();
  const headers = { "cache-control": "no-store" };
  if (runtime === undefined) return Response.json({ ready: false }, { headers });
  const [{ notReady, sources }, reader] = await Promise.all([lookAt(runtime), findReader(runtime, request)]);
  const ready = notReady === undefined;
  if (reader === undefined) return Response.json({ ready }, { headers });
  const { clusters } = runtime.config().config;
  const config = serializeConfigStatus(runtime.configStatus());
  const auditStreams = ready && reader.readsAll ? await findStreams(runtime) : undefined;
  const status: Status = {
    ready,
    config: reader.readsAll ? config : withoutNames(config),
    database: {
      ok: ready && sources !== undefined,
      grantsEnforced: !runtime.environment.recorderSharesRole,
      ...(runtime.replica === undefined ? {} : { replica: serializeReplica(runtime.replica) }),
    },
    sources: (sources ?? [])
      .filter(({ cluster }) => reader.sees(cluster))
      .map((source) => reader.reported(serializeSource(source, clusters))),
    ...(auditStreams === undefined ? {} : { auditStreams }),
  };
  return Response.json(Status.parse(status), { headers });
}

/**
 * Answers Prometheus text. Requires a token or a session with the right to read everything, unless `probes.public` is
 * set: metrics have no scope.
 */
export async function answerMetrics(request: Request): Promise<Response> {
  const requestId = randomUUID();
  try {
    const runtime = getWebRuntime();
    if (!runtime.config().config.probes.public && !readsEverything((await identify(runtime, request)).rights))
      throw new ServiceError("forbidden", "Metrics cover everything: your rights do not.");
    runtime.metrics.streamClients.set(runtime.changes.listenerCount());
    return new Response(await runtime.metrics.registry.metrics(), {
      headers: { "content-type": runtime.metrics.registry.contentType, "cache-control": "no-store" },
    });
  } catch (thrown) {
    return problemResponse({ thrown, requestId, runtime: findWebRuntime() });
  }
}

/** Leaves out why it is down: that names hosts, and is in the log. */
function serializeReplica(replica: Replica): ReplicaStatus {
  const { state, since, lagMs } = replica.state();
  return { state, since: since.toISOString(), lagSeconds: lagMs === undefined ? null : Math.round(lagMs) / 1000 };
}

async function findUnreadiness(runtime: WebRuntime | undefined): Promise<string | undefined> {
  if (runtime === undefined) return "starting";
  return (await lookAt(runtime)).notReady;
}

/** While the change log cannot be read, pages are answered with 503 (proxy.ts): no balancer should send anybody here. */
async function lookAt({ health, changes }: WebRuntime): Promise<HealthAnswer> {
  const answer = await health.look();
  if (answer.notReady !== undefined || changes.isDatabaseReachable()) return answer;
  return { ...answer, notReady: "the change log cannot be read" };
}

type Reader = { readsAll: boolean; sees(cluster: string): boolean; reported(source: Source): Source };

function readerOf(rights: Rights): Reader {
  return {
    readsAll: readsEverything(rights),
    sees: (cluster) => seesCluster(rights, cluster),
    reported: (source) => withinScope({ source, rights, held: 0 }),
  };
}

/** Finds the reader. A token is looked up in the database, which may hang; the caller is then treated as anonymous. */
async function findReader(runtime: WebRuntime, request: Request): Promise<Reader | undefined> {
  if (runtime.config().config.probes.public) return { readsAll: true, sees: () => true, reported: (source) => source };
  return soon(runtime, async () => readerOf((await identify(runtime, request)).rights));
}

async function findStreams(runtime: WebRuntime): Promise<AuditStreamStatus[] | undefined> {
  return soon(runtime, () => readStreamStates(runtime.pool, runtime.config().config.auditStreams));
}

/** Resolves with undefined if the work fails, or takes longer than a probe may wait for the database. */
async function soon<Result>({ health }: WebRuntime, work: () => Promise<Result>): Promise<Result | undefined> {
  const { promise: limit, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), health.waitMs);
  return Promise.race([work().catch(() => undefined), limit]).finally(() => clearTimeout(timer));
}

async function identify(runtime: WebRuntime, request: Request) {
  return authenticate({ runtime, headers: request.headers, address: clientAddress(request.headers) });
}
