import type { ApiContext } from "./api-context.ts";
import { badRequest, notFound } from "./api-error.ts";
import { type Exchange, readBody, sendJson } from "./exchange.ts";
import { patcherOf } from "./patch-body.ts";
import type { Resource } from "./resources.ts";
import { methodNotAllowed, optionsOf } from "./serve-write.ts";
import { isPlainObject } from "./shared-copy.ts";
import type { KubeObject } from "./store-types.ts";

/** Serves GET, PUT and PATCH of /scale. */
export async function serveScale(context: ApiContext, exchange: Exchange, resource: Resource): Promise<void> {
  const { namespace, verb, name = "" } = exchange.info;
  const current = resource.hasScale ? context.store.get(resource.plural, namespace, name) : undefined;
  if (current === undefined) throw notFound(resource, name);
  if (verb === "get") return sendJson(exchange, 200, JSON.stringify(scaleOf(current, resource)));
  if (verb !== "patch" && verb !== "update") throw methodNotAllowed(exchange, resource);
  const body = await readBody(exchange.req);
  const type = (exchange.req.headers["content-type"] ?? "").split(";")[0]?.trim() ?? "";
  const next = verb === "patch" ? patcherOf(type)(body, scaleOf(current, resource)) : parseScale(body);
  const scale = isPlainObject(next) ? (next as Partial<KubeObject>) : {};
  const replicas = scale.spec?.replicas ?? 0;
  if (!Number.isInteger(replicas) || (replicas as number) < 0) {
    throw badRequest("spec.replicas of a Scale is a whole number, 0 or more");
  }
  const resourceVersion = scale.metadata?.resourceVersion ?? current.metadata.resourceVersion;
  const metadata = { ...current.metadata, resourceVersion };
  const updated = context.store.update(
    resource.plural,
    { ...current, metadata, spec: { ...current.spec, replicas } },
    optionsOf(exchange),
  );
  return sendJson(exchange, 200, JSON.stringify(scaleOf(updated, resource)));
}

function parseScale(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw badRequest("the object provided is unrecognized (must be of type Scale): it is no JSON");
  }
}

function scaleOf(object: KubeObject, resource: Resource): Record<string, unknown> {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const { status, spec } = object;
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: spec?.replicas ?? 0 },
    status: { replicas: status?.HPAReplicas ?? status?.replicas ?? 0, selector: selectorOf(object, resource) },
  };
}

/** Returns the selector as text: custom resources have it in status; for built-in kinds it comes from spec.selector. */
function selectorOf({ spec, status }: KubeObject, resource: Resource): string {
  if (resource.custom) return typeof status?.selector === "string" ? status.selector : "";
  const labels = isPlainObject(spec?.selector) ? spec.selector.matchLabels : undefined;
  if (!isPlainObject(labels)) return "";
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(",");
}
