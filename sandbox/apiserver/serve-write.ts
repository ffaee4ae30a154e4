import type { ApiContext } from "./api-context.ts";
import { ApiError, badRequest, invalid, notFound, patchRejected, preconditionFailed } from "./api-error.ts";
import { type Exchange, managerOf, readBody, readJsonBody, sendJson } from "./exchange.ts";
import { parseFilter } from "./list-options.ts";
import { jsonOf } from "./object-json.ts";
import { goJsonError, patcherOf } from "./patch-body.ts";
import { apiVersionOf, type Resource } from "./resources.ts";
import { isPlainObject } from "./shared-copy.ts";
import type { ApiWriteOptions } from "./store.ts";
import type { KubeObject, KubeObjectInput } from "./store-types.ts";
import { listKindOf } from "./table-format.ts";
import { validateObject } from "./validate-object.ts";

type Handling = { context: ApiContext; exchange: Exchange; resource: Resource };

const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const NAME_ADVICE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and " +
  "end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** Serves POST on a collection. */
export async function serveCreate({ context, exchange, resource }: Handling): Promise<void> {
  const input = parseObject(await readJsonBody(exchange.req), resource);
  if (exchange.info.name !== undefined) throw methodNotAllowed(exchange, resource);
  const { namespace } = exchange.info;
  const metadata = { ...input.metadata };
  if (namespace !== undefined && resource.namespaced) {
    metadata.namespace = requireSame(metadata.namespace, namespace);
  }
  metadata.name ??= generatedName(metadata.generateName);
  checkIdentity(resource, input, metadata.name);
  validateObject(resource, input);
  const object = context.store.create(
    resource.plural,
    { ...input, metadata: { ...metadata, name: metadata.name } },
    optionsOf(exchange),
  );
  await sendObject(exchange, 201, object);
}

function generatedName(prefix: string | undefined): string {
  if (prefix === undefined || prefix === "") return "";
  const alphabet = "bcdfghjklmnpqrstvwxz2456789";
  const pick = (): string => alphabet[Math.floor(Math.random() * alphabet.length)] ?? "b";
  return `${prefix}${Array.from({ length: 5 }, pick).join("")}`;
}

function checkIdentity(resource: Resource, input: Partial<KubeObject>, name: string): void {
  const refuse = (field: string, message: string, kind: string, reason = "FieldValueInvalid"): ApiError =>
    invalid({ group: resource.group, kind, name, field, message, reason });
  if (input.kind !== resource.kind) {
    throw refuse("kind", `Invalid value: "${input.kind}": must be ${resource.kind}`, String(input.kind));
  }
  if (input.apiVersion !== apiVersionOf(resource)) {
    const message = `Invalid value: "${input.apiVersion}": must be ${apiVersionOf(resource)}`;
    throw refuse("apiVersion", message, resource.kind);
  }
  if (name === "") {
    throw refuse(
      "metadata.name",
      "Required value: name or generateName is required",
      resource.kind,
      "FieldValueRequired",
    );
  }
  if (!NAME.test(name) || name.length > 253) {
    throw refuse("metadata.name", `Invalid value: "${name}": ${NAME_ADVICE}`, resource.kind);
  }
}

/** Serves PUT on an object or its status. */
export async function serveUpdate({ context, exchange, resource }: Handling): Promise<void> {
  const name = requireName(exchange, resource);
  exchange.sent = await readJsonBody(exchange.req);
  const input = parseObject(exchange.sent, resource);
  const current = requireObject(context, exchange, resource);
  checkPlace(input, exchange, name);
  if (resource.custom && (input.metadata?.resourceVersion ?? "") === "") {
    const message = "Invalid value: 0: must be specified for an update";
    const field = "metadata.resourceVersion";
    throw invalid({ group: resource.group, kind: resource.plural, name, field, message });
  }
  await write({ context, exchange, resource, current, next: input });
}

/** Serves PATCH on an object, its status or its scale. */
export async function servePatch({ context, exchange, resource }: Handling): Promise<void> {
  const name = requireName(exchange, resource);
  const type = (exchange.req.headers["content-type"] ?? "").split(";")[0]?.trim() ?? "";
  const apply = patcherOf(type);
  const patch = await readBody(exchange.req);
  exchange.sent = patch;
  const current = requireObject(context, exchange, resource);
  const next = apply(patch, current);
  if (!isPlainObject(next) || !isPlainObject(next.metadata)) throw patchRejected();
  checkPlace(next as Partial<KubeObject>, exchange, name);
  await write({ context, exchange, resource, current, next: next as KubeObject });
}

async function write(parts: Handling & { current: KubeObject; next: Partial<KubeObject> }): Promise<void> {
  const { context, exchange, resource, current, next } = parts;
  validateObject(resource, next, exchange.info.subresource);
  const uid = next.metadata?.uid ?? "";
  if (uid !== "" && uid !== current.metadata.uid) throw uidChanged(resource, current.metadata.name, uid);
  const { namespace } = current.metadata;
  const metadata = {
    ...(next.metadata as KubeObject["metadata"]),
    name: current.metadata.name,
    ...(namespace === undefined ? {} : { namespace }),
  };
  const object = context.store.update(resource.plural, { ...next, metadata } as KubeObject, optionsOf(exchange));
  await sendObject(exchange, 200, object);
}

function uidChanged(resource: Resource, name: string, uid: string): ApiError {
  const message = `Invalid value: "${uid}": field is immutable`;
  const error = invalid({ group: resource.group, kind: resource.kind, name, field: "metadata.uid", message });
  // Upstream lists this cause twice: once from the metadata, once from the resource's own check.
  const causes = error.details?.causes ?? [];
  return new ApiError({
    code: error.code,
    reason: "Invalid",
    message: error.message,
    details: { ...error.details, causes: [...causes, ...causes] },
  });
}

/** Serves DELETE of one object, with its preconditions. */
export async function serveDelete({ context, exchange, resource }: Handling): Promise<void> {
  const name = requireName(exchange, resource);
  if (exchange.info.subresource !== undefined) throw notFound(resource, name);
  const preconditions = parsePreconditions(await readBody(exchange.req));
  const current = requireObject(context, exchange, resource);
  const { uid, resourceVersion } = current.metadata;
  if (preconditions.uid !== undefined && preconditions.uid !== uid) {
    const advice = "The object might have been deleted and then recreated";
    const why = `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid}). ${advice}`;
    throw preconditionFailed(resource, name, why);
  }
  if (preconditions.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion) {
    const numbers = `(${preconditions.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion})`;
    const why = `the ResourceVersion in the precondition ${numbers}. The object might have been modified`;
    throw preconditionFailed(resource, name, why);
  }
  const isDryRun = exchange.url.searchParams.get("dryRun") === "All";
  const deleted = isDryRun ? current : context.store.delete(resource.plural, current.metadata.namespace, name);
  const isPending = deleted?.metadata.deletionTimestamp !== undefined && deleted.metadata.finalizers !== undefined;
  if (deleted !== undefined && isPending) await sendObject(exchange, 200, deleted);
  else await sendJson(exchange, 200, JSON.stringify(deletedStatus(resource, name, uid)));
}

/** Serves DELETE on a collection: deletes what the selectors match and answers with a list of it. */
export async function serveDeleteCollection({ context, exchange, resource }: Handling): Promise<void> {
  const { namespace } = exchange.info;
  const filter = parseFilter({
    resource,
    params: exchange.url.searchParams,
    ...(namespace === undefined ? {} : { namespace }),
  });
  const items = context.store.list(resource.plural, namespace).filter(filter.matches);
  const isDryRun = exchange.url.searchParams.get("dryRun") === "All";
  for (const { metadata } of isDryRun ? [] : items) {
    context.store.delete(resource.plural, metadata.namespace, metadata.name);
  }
  const metadata = { continue: "", resourceVersion: String(context.store.resourceVersion()) };
  await sendJson(exchange, 200, JSON.stringify({ ...listKindOf(resource), metadata, items }));
}

function deletedStatus(resource: Resource, name: string, uid: string): unknown {
  const group = resource.group === "" ? {} : { group: resource.group };
  const details = { name, ...group, kind: resource.plural, uid };
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
}

function parsePreconditions(body: string): { uid?: string; resourceVersion?: string } {
  if (body.trim() === "") return {};
  try {
    const { preconditions } = JSON.parse(body) as { preconditions?: { uid?: string; resourceVersion?: string } };
    return preconditions ?? {};
  } catch (error) {
    throw badRequest(`error decoding DeleteOptions: ${goJsonError(error, body)}`);
  }
}

/** Returns the stored object that the path names; throws a 404 also for a subresource that its kind lacks. */
export function requireObject(context: ApiContext, exchange: Exchange, resource: Resource): KubeObject {
  const name = requireName(exchange, resource);
  const { namespace, subresource } = exchange.info;
  const isKnown = subresource === undefined || (subresource === "status" && resource.hasStatus);
  const object = isKnown ? context.store.get(resource.plural, namespace, name) : undefined;
  if (object === undefined) throw notFound(resource, name);
  return object;
}

function requireName(exchange: Exchange, resource: Resource): string {
  if (exchange.info.name === undefined) throw methodNotAllowed(exchange, resource);
  return exchange.info.name;
}

export function methodNotAllowed(exchange: Exchange, resource: Resource): ApiError {
  const kind = resource.group === "" ? resource.plural : `${resource.plural}.${resource.group}`;
  return new ApiError({
    code: 405,
    reason: "MethodNotAllowed",
    message: `${exchange.info.verb} is not supported on resources of kind "${kind}"`,
    details: { ...(resource.group === "" ? {} : { group: resource.group }), kind: resource.plural },
  });
}

function parseObject(text: string, resource: Resource): Partial<KubeObject> & KubeObjectInput {
  const refuse = (why: string): ApiError =>
    badRequest(`the object provided is unrecognized (must be of type ${resource.kind}): ${why}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refuse(`couldn't get version/kind; json parse error: ${goJsonError(error, text)} (${excerpt(text)})`);
  }
  if (!isPlainObject(value)) throw refuse(`a JSON object is needed (${excerpt(text)})`);
  if (typeof value.kind !== "string") throw refuse(`Object 'Kind' is missing in '${text}' (${excerpt(text)})`);
  if (typeof value.apiVersion !== "string") throw refuse(`Object 'apiVersion' is missing (${excerpt(text)})`);
  const metadata = isPlainObject(value.metadata) ? value.metadata : {};
  return { ...value, metadata } as Partial<KubeObject> & KubeObjectInput;
}

function excerpt(text: string): string {
  return text.length <= 30 ? text : `${text.slice(0, 30)} ...`;
}

function checkPlace(object: Partial<KubeObject>, exchange: Exchange, name: string): void {
  const given = object.metadata?.name;
  if (given !== undefined && given !== name) {
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  }
  if (exchange.info.namespace !== undefined) requireSame(object.metadata?.namespace, exchange.info.namespace);
}

function requireSame(given: string | undefined, namespace: string): string {
  if (given !== undefined && given !== "" && given !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  return namespace;
}

function optionsOf(exchange: Exchange): ApiWriteOptions {
  const dryRun = exchange.url.searchParams.get("dryRun") === "All";
  const subresource = exchange.info.subresource === "status" ? "status" : undefined;
  return { manager: managerOf(exchange), dryRun, ...(subresource === undefined ? {} : { subresource }) };
}

export async function sendObject(exchange: Exchange, code: number, object: KubeObject): Promise<void> {
  await sendJson(exchange, code, jsonOf(object));
}

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
