import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type { Endpoint } from "#lib/contract/endpoint.ts";
import { endpoints } from "#lib/contract/endpoint-table.ts";
import { hasRole } from "#lib/domain/policy/rights.ts";
import { auditRefusal } from "#lib/server/audit/audit-refusal.ts";
import { clientAddress } from "#lib/server/edge/http/client-address.ts";
import { isForeignOrigin, isSameOrigin } from "#lib/server/edge/http/is-same-origin.ts";
import { parseInput } from "#lib/server/edge/http/parse-input.ts";
import { problemResponse } from "#lib/server/edge/http/problem-response.ts";
import { openEndpointReads } from "#lib/server/edge/http/replica-endpoints.ts";
import { countRequest } from "#lib/server/edge/http/request-limits.ts";
import { authenticate } from "#lib/server/people/auth/authenticate.ts";
import { type Actor, actorKey } from "#lib/server/platform/actor/actor.ts";
import { isServiceError, ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { inSpan } from "#lib/server/platform/telemetry/tracing.ts";
import { assertSchemaReady } from "#lib/server/process/assert-schema-ready.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { findWebRuntime, getWebRuntime, type WebRuntime } from "#lib/server/process/web-runtime.ts";

type TableEntry = Omit<Endpoint, "status"> & { status?: number };
type Part<Entry, Key extends string> =
  Entry extends Record<Key, infer Schema extends z.ZodType> ? z.infer<Schema> : unknown;

/** Path parameters, query and body of an endpoint, merged. */
export type InputOf<Entry> = Part<Entry, "params"> & Part<Entry, "query"> & Part<Entry, "body">;
/** The result of its handler: the wire object, or its own Response if the endpoint streams. */
export type OutputOf<Entry> = Entry extends { response: infer Schema extends z.ZodType } ? z.infer<Schema> : Response;

export type HandlerArguments<Entry> = {
  ctx: ServiceContext;
  input: InputOf<Entry>;
  request: Request;
  runtime: WebRuntime;
};

type Route<Entry> = {
  endpoint: Entry;
  handler: (args: HandlerArguments<Entry>) => Promise<OutputOf<Entry>>;
  /**
   * The service checks the role itself, on its first line, and writes the refusal into the audit log. It is therefore
   * called for too weak a role as well, unless the input cannot be parsed.
   */
  auditsRefusals?: boolean;
  /** A GET that leaves an audit entry: HEAD does not run it, and a foreign page may not send it with a cookie. */
  leavesEntry?: boolean;
};

export type RouteHandler = (
  request: Request,
  context?: { params: Promise<Record<string, string | string[] | undefined>> },
) => Promise<Response>;

/**
 * Makes a route handler from an entry of the endpoint table: request id, actor, role, origin of cookie mutations,
 * parsed input, problems. Each handler authorises by itself; nothing relies on the proxy.
 */
export function endpoint<const Entry extends TableEntry>(route: Route<Entry>): RouteHandler {
  const { endpoint: entry } = route;
  const name = nameOf(entry);
  return (request, context) => {
    const requestId = randomUUID();
    const attributes = {
      "http.request.method": request.method,
      "http.route": entry.path,
      "gatehouse.request_id": requestId,
    };
    const parent = request.headers.get("traceparent") ?? undefined;
    return inSpan(
      `${request.method} ${entry.path}`,
      { kind: "server", isRoot: true, parent, attributes },
      async (span) => {
        const startedAt = performance.now();
        const progress: Progress = { actor: undefined };
        let response: Response;
        try {
          response = await answer({ route, name, request, context, requestId, progress });
        } catch (thrown) {
          if (progress.actor !== undefined)
            await auditForbidden({ actor: progress.actor, endpoint: name, thrown, requestId });
          response = problemResponse({ thrown, requestId, runtime: findWebRuntime() });
        }
        const { status } = response;
        span?.set({ "http.response.status_code": status });
        if (status >= 500) span?.fail(String(status));
        const metrics = findWebRuntime()?.metrics;
        metrics?.requests.inc({ endpoint: name, method: request.method, status: String(status) });
        metrics?.latency.observe({ endpoint: name, method: request.method }, (performance.now() - startedAt) / 1000);
        return response;
      },
    );
  };
}

/** Not part of the contract: helps to find out why an answer took long. */
const answeredByReplica = { "x-gatehouse-answered-by": "replica" };

/** How far a request has got: its actor, once known. */
type Progress = { actor: Actor | undefined };

/**
 * Audits a refusal for lack of rights, or of a foreign page's request. Skips those that a service has already audited.
 */
async function auditForbidden({
  actor,
  endpoint: name,
  thrown,
  requestId,
}: {
  actor: Actor;
  endpoint: string;
  thrown: unknown;
  requestId: string;
}): Promise<void> {
  if (!isServiceError(thrown) || thrown.code !== "forbidden") return;
  await auditRefusal({
    ctx: { runtime: getWebRuntime(), actor, requestId },
    error: thrown,
    asked: { code: "access.refused", detail: { endpoint: name } },
    place: name,
  });
}

async function answer<const Entry extends TableEntry>({
  route,
  name,
  request,
  context,
  requestId,
  progress,
}: {
  route: Route<Entry>;
  name: string;
  request: Request;
  context: Parameters<RouteHandler>[1];
  requestId: string;
  progress: Progress;
}): Promise<Response> {
  const { endpoint: entry, handler } = route;
  const runtime = getWebRuntime();
  await assertSchemaReady(runtime);
  const address = clientAddress(request.headers);
  const actor = await authenticate({ runtime, headers: request.headers, address });
  progress.actor = actor;
  countRequest(runtime, actorKey(actor));
  assertOwnOrigin({ route, actor, request, publicUrl: runtime.config().config.publicUrl });
  assertReadByArgoCd(name, request.headers);
  const forbidden = findRoleRefusal(entry, actor);
  if (forbidden !== undefined && route.auditsRefusals !== true) throw forbidden;
  const input = await parseInput({ schemas: entry, params: await context?.params, request }).catch((error: unknown) => {
    throw forbidden ?? error;
  });
  const ctx: ServiceContext = { runtime, actor, requestId };
  if (route.leavesEntry === true && request.method === "HEAD")
    return new Response(null, { headers: { "cache-control": "no-store", "x-request-id": requestId } });
  const reads = openEndpointReads({ name, ctx, runtime });
  // The schemas of `entry` produced it, so it has the type that they infer.
  const output = await handler({ ctx: reads.ctx, input: input as InputOf<Entry>, request, runtime }).finally(reads.end);
  const headers = { "x-request-id": requestId, ...(reads.answerer() === "replica" ? answeredByReplica : {}) };
  if (output instanceof Response) {
    for (const [header, value] of Object.entries(headers)) output.headers.set(header, value);
    return output;
  }
  const served = dropCorruptItems({
    schema: entry.response,
    output,
    onCorrupt: (reason) => {
      runtime.metrics.corruptRecords.inc({ table: entry.path.slice(entry.path.lastIndexOf("/") + 1) });
      runtime.log.error({ endpoint: name, requestId, reason }, "a stored row is corrupt and was left out");
    },
  });
  if (!runtime.environment.isProduction) entry.response?.parse(served);
  return new Response(JSON.stringify(served), {
    status: entry.status ?? 200,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  });
}

function findRoleRefusal(entry: TableEntry, actor: Actor): ServiceError | undefined {
  if (hasRole(actor.role, entry.role)) return undefined;
  return new ServiceError("forbidden", `This needs the role ${entry.role}; yours is ${actor.role}.`);
}

function assertOwnOrigin<Entry extends TableEntry>({
  route: { endpoint: entry, leavesEntry },
  actor,
  request: { headers },
  publicUrl,
}: {
  route: Route<Entry>;
  actor: Actor;
  request: Request;
  publicUrl: string;
}): void {
  if (actor.type !== "user") return;
  if (entry.method !== "GET" && !isSameOrigin({ headers, publicUrl }))
    throw new ServiceError("forbidden", "A change with a session cookie must come from Gatehouse's own pages.");
  if (leavesEntry === true && isForeignOrigin({ headers, publicUrl }))
    throw new ServiceError("forbidden", "With a session cookie, only Gatehouse's own pages may request this.");
}

/** The requests of components/argocd. */
const readsInArgoCd: ReadonlySet<string> = new Set(["listRollouts", "getRollout"]);

/**
 * Keeps honest clients in Argo CD to the reads of the extension. Argo CD's proxy passes any path and method of anyone who
 * may invoke the extension, all with one token. This is no boundary: the proxy removes headers that the client names in
 * `Connection`, this one too. Only the token's own rights limit such a client.
 */
function assertReadByArgoCd(name: string, headers: Headers): void {
  if (!headers.has("argocd-application-name") || readsInArgoCd.has(name)) return;
  throw new ServiceError("forbidden", "Through Argo CD's proxy, only rollouts can be read. Use Gatehouse itself.");
}

function nameOf(entry: TableEntry): string {
  return Object.entries(endpoints).find(([, candidate]) => candidate === entry)?.[0] ?? entry.path;
}

type Page = { items: unknown[] };

/**
 * Drops list items that do not match the list's schema: a corrupt stored row must not take the others down. Other
 * outputs stay unchanged. `onCorrupt` is called for each dropped item, with the reason.
 */
export function dropCorruptItems<Output>({
  schema,
  output,
  onCorrupt,
}: {
  schema: z.ZodType | undefined;
  output: Output;
  onCorrupt: (reason: string) => void;
}): Output {
  if (schema === undefined || !isPage(output)) return output;
  const checked = schema.safeParse(output);
  if (checked.success) return output;
  const reasons = new Map<PropertyKey | undefined, string>();
  for (const { path, message } of checked.error.issues) {
    const [member, index, ...rest] = path;
    if (member !== "items" || index === undefined) return output;
    if (!reasons.has(index)) reasons.set(index, `${rest.join(".")}: ${message}`);
  }
  for (const reason of reasons.values()) onCorrupt(reason);
  return { ...output, items: output.items.filter((_, index) => !reasons.has(index)) };
}

function isPage(output: unknown): output is Page {
  return output !== null && typeof output === "object" && "items" in output && Array.isArray(output.items);
}
