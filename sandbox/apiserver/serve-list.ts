import type { ApiContext } from "./api-context.ts";
import { ApiError, expired } from "./api-error.ts";
import { keyOf } from "./event-log.ts";
import { type Exchange, formatOf, sendJson } from "./exchange.ts";
import { formatContinue, type ListOptions, parseFilter, parseListOptions } from "./list-options.ts";
import { listItemJson } from "./object-json.ts";
import type { Resource } from "./resources.ts";
import type { KubeObject } from "./store-types.ts";
import { listKindOf, partialOf, tableOf } from "./table-format.ts";

const FUTURE_WAIT_MS = 3000;
const CONTINUE_EXPIRED =
  "The provided continue parameter is too old to display a consistent list result. You can start a new list without " +
  "the continue parameter, or use the continue token in this response to retrieve the remainder of the results. " +
  "Continuing with the provided token results in an inconsistent list - objects that were created, modified, or " +
  "deleted between the time the first chunk was returned and now may show up in the list.";
/** Stands in for the cluster's identity while the wrong-cluster fault is on. */
const FOREIGN_UID = "f0e1d2c3-0000-4000-8000-00000000beef";

type Page = { objects: KubeObject[]; rv: number; continueToken: string; remaining?: number };

/** Answers a list: a page of one consistent state, in the format that the client asked for. */
export async function serveList(context: ApiContext, exchange: Exchange, resource: Resource): Promise<void> {
  const { params, filter, options } = readRequest(exchange, resource);
  await waitForVersion(context, options);
  const isBroken = options.from !== undefined && context.faults.has("partial", resource.plural);
  const page = makePage({ context, resource, filter, options, namespace: exchange.info.namespace });
  const body = formatPage({ context, exchange, resource, page, includeObject: params.get("includeObject") });
  if (isBroken) breakAnswer(exchange, body);
  else await sendJson(exchange, 200, body);
}

function readRequest(exchange: Exchange, resource: Resource) {
  const params = exchange.url.searchParams;
  const { namespace } = exchange.info;
  const filter = parseFilter({ resource, params, ...(namespace === undefined ? {} : { namespace }) });
  return { params, filter, options: parseListOptions(params) };
}

/** A version that is not there yet is waited for, in vain after 3 s. */
async function waitForVersion(context: ApiContext, options: ListOptions): Promise<void> {
  const wanted = options.atLeastVersion ?? options.exactVersion ?? 0;
  const start = performance.now();
  while (context.store.resourceVersion() < wanted) {
    if (performance.now() - start > FUTURE_WAIT_MS) {
      throw tooLarge(wanted, context.store.resourceVersion());
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function tooLarge(wanted: number, current: number): ApiError {
  return new ApiError({
    code: 504,
    reason: "Timeout",
    message: `Timeout: Too large resource version: ${wanted}, current: ${current}`,
    details: {
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
      retryAfterSeconds: 1,
    },
  });
}

function makePage(parts: {
  context: ApiContext;
  resource: Resource;
  filter: ReturnType<typeof parseFilter>;
  options: ListOptions;
  namespace: string | undefined;
}): Page {
  const { context, resource, filter, options } = parts;
  const { objects, rv } = readState({ ...parts, plural: resource.plural });
  const all = distort(context, resource, objects.filter(filter.matches));
  const start = options.from?.start;
  const rest = start === undefined ? all : all.filter((object) => pageKey(object, parts.namespace) > start);
  const limit = pageSize(context, resource, options, rest.length);
  if (limit === 0 || rest.length <= limit) return { objects: rest, rv, continueToken: "" };
  const page = rest.slice(0, limit);
  const last = page[page.length - 1];
  const continueToken = last === undefined ? "" : formatContinue({ rv, start: pageKey(last, parts.namespace) });
  return { objects: page, rv, continueToken, ...(filter.isEmpty ? { remaining: rest.length - limit } : {}) };
}

/** The key within what is listed: upstream leaves the namespace out of the tokens of a namespaced list. */
function pageKey(object: KubeObject, namespace: string | undefined): string {
  return namespace === undefined ? `/${keyOf(object)}` : `/${object.metadata.name}`;
}

/** While the partial fault is on, the first page holds half, so that there always is a second one to break. */
function pageSize(context: ApiContext, resource: Resource, options: ListOptions, count: number): number {
  const isHalved = options.limit > 0 && options.from === undefined && context.faults.has("partial", resource.plural);
  return isHalved ? Math.min(options.limit, Math.max(1, Math.ceil(count / 2))) : options.limit;
}

function readState(parts: {
  context: ApiContext;
  plural: string;
  options: ListOptions;
  namespace: string | undefined;
}): { objects: KubeObject[]; rv: number } {
  const { store, faults } = parts.context;
  const { from, exactVersion } = parts.options;
  const current = store.resourceVersion();
  const isTooOld = (rv: number): boolean => rv < store.floor() || faults.has("410", parts.plural);
  if (from !== undefined && from.rv >= 0) {
    if (isTooOld(from.rv)) throw expired(CONTINUE_EXPIRED, formatContinue({ rv: -1, start: from.start }));
    return { objects: store.listAt(parts.plural, from.rv), rv: from.rv };
  }
  if (exactVersion !== undefined) {
    if (isTooOld(exactVersion)) throw expired("The resourceVersion for the provided list is too old.");
    return { objects: store.listAt(parts.plural, exactVersion), rv: exactVersion };
  }
  return { objects: store.list(parts.plural, parts.namespace), rv: current };
}

function distort(context: ApiContext, resource: Resource, objects: KubeObject[]): KubeObject[] {
  if (context.faults.has("empty", resource.plural)) return [];
  if (context.faults.has("shrink", resource.plural)) return objects.slice(0, Math.floor(objects.length / 2));
  return objects.map((object) => maskObject(context, object));
}

/** The object as it is to be shown: during the wrong-cluster fault kube-system has another uid. */
export function maskObject(context: ApiContext, object: KubeObject): KubeObject {
  const isIdentity = object.kind === "Namespace" && object.metadata.name === "kube-system";
  const isForeign = context.faults.list().some(({ fault }) => fault === "wrong-cluster");
  if (!isIdentity || !isForeign) return object;
  return { ...object, metadata: { ...object.metadata, uid: FOREIGN_UID } };
}

function formatPage(parts: {
  context: ApiContext;
  exchange: Exchange;
  resource: Resource;
  page: Page;
  includeObject: string | null;
}): string {
  const { resource, page } = parts;
  const format = formatOf(parts.exchange.req);
  const metadata: Record<string, unknown> = {
    // Lists of custom resources say "" where there is no more; the built-in ones leave it out.
    ...(page.continueToken !== "" || (resource.custom && format === "object") ? { continue: page.continueToken } : {}),
    ...(page.remaining === undefined ? {} : { remainingItemCount: page.remaining }),
    resourceVersion: String(page.rv),
  };
  if (format === "table") {
    const { includeObject } = parts;
    const now = parts.context.now();
    return JSON.stringify(tableOf({ resource, objects: page.objects, metadata, includeObject, now }));
  }
  if (format === "partial") {
    const items = page.objects.map(partialOf);
    return JSON.stringify({ kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1", metadata, items });
  }
  const { apiVersion, kind } = listKindOf(resource);
  const head = JSON.stringify({ kind, apiVersion, metadata }).slice(0, -1);
  return `${head},"items":[${page.objects.map(listItemJson).join(",")}]}`;
}

/** Promises the whole body and cuts the connection halfway. */
function breakAnswer(exchange: Exchange, body: string): void {
  const bytes = Buffer.from(body);
  exchange.res.writeHead(200, { "Content-Type": "application/json", "Content-Length": bytes.length });
  exchange.res.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => exchange.res.destroy());
}
