import type { ApiContext } from "./api-context.ts";
import { ApiError, expired, internalError } from "./api-error.ts";
import { keyOf } from "./event-log.ts";
import { type Exchange, formatOf, sendJson, targetOf } from "./exchange.ts";
import { driftedObject, garbageItems } from "./fault-garbage.ts";
import { maskObject, maskVersion } from "./fault-masks.ts";
import { wayOf } from "./faults.ts";
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
type Page = { objects: KubeObject[]; rv: number; continueToken: string; remaining?: number };

/** Serves a list: a page of one consistent state, in the format that the client asked for. */
export async function serveList(context: ApiContext, exchange: Exchange, resource: Resource): Promise<void> {
  const { params, filter, options } = readRequest(exchange, resource);
  await waitForVersion(context, options);
  const partial = context.faults.find("partial", targetOf(exchange));
  const broken = options.from === undefined || partial === undefined ? undefined : wayOf(partial);
  if (broken === "500") throw internalError("the sandbox was told to fail on later pages");
  const request: PageRequest = { context, exchange, resource, filter, options, isHalved: partial !== undefined };
  if (broken === "410") throw expiredContinue(options);
  const page = makePage(request);
  const body = formatPage({ context, exchange, resource, page, includeObject: params.get("includeObject") });
  if (broken === "cut") breakAnswer(exchange, body);
  else await sendJson(exchange, 200, body);
}

type PageRequest = {
  context: ApiContext;
  exchange: Exchange;
  resource: Resource;
  filter: ReturnType<typeof parseFilter>;
  options: ListOptions;
  /** The first page gets half, so that a second page always exists to break. */
  isHalved: boolean;
};

function readRequest(exchange: Exchange, resource: Resource) {
  const params = exchange.url.searchParams;
  const { namespace } = exchange.info;
  const filter = parseFilter({ resource, params, ...(namespace === undefined ? {} : { namespace }) });
  return { params, filter, options: parseListOptions(params) };
}

/** Waits for a version that does not exist yet; fails after 3 s. */
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

function makePage(request: PageRequest): Page {
  const { context, exchange, resource, filter, options } = request;
  const { namespace } = exchange.info;
  const { objects, rv } = readState(request);
  const limit = pageSize(request, objects);
  const page: KubeObject[] = [];
  let at = options.from === undefined ? 0 : firstAfter(objects, options.from.start, namespace);
  let hasMore = false;
  for (; at < objects.length && !hasMore; at += 1) {
    const object = objects[at];
    if (object === undefined || !filter.matches(object)) continue;
    if (limit > 0 && page.length === limit) hasMore = true;
    else page.push(object);
  }
  const last = page[page.length - 1];
  const isLast = !hasMore || last === undefined;
  if (!isLast) context.store.keepList({ resource: resource.plural, namespace, rv, objects });
  return {
    objects: page.map((object) => maskObject(context, object)),
    rv: maskVersion(context, rv),
    continueToken: isLast ? "" : formatContinue({ rv, start: pageKey(last, namespace) }),
    ...(filter.isEmpty && !isLast ? { remaining: objects.length - at + 1 } : {}),
  };
}

/** Returns the key within the list: upstream leaves the namespace out of the tokens of a namespaced list. */
function pageKey(object: KubeObject, namespace: string | undefined): string {
  return namespace === undefined ? `/${keyOf(object)}` : `/${object.metadata.name}`;
}

function firstAfter(objects: readonly KubeObject[], start: string, namespace: string | undefined): number {
  let low = 0;
  let high = objects.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const object = objects[middle];
    if (object !== undefined && pageKey(object, namespace) <= start) low = middle + 1;
    else high = middle;
  }
  return low;
}

function pageSize({ isHalved, options, filter }: PageRequest, objects: readonly KubeObject[]): number {
  if (!isHalved || options.limit === 0 || options.from !== undefined) return options.limit;
  return Math.min(options.limit, Math.max(1, Math.ceil(objects.filter(filter.matches).length / 2)));
}

function readState(request: PageRequest): { objects: readonly KubeObject[]; rv: number } {
  const { context, exchange, resource, options } = request;
  const { store, faults } = context;
  const { from, exactVersion } = options;
  const { namespace } = exchange.info;
  const isExpired = faults.has("410", targetOf(exchange));
  if (from !== undefined && from.rv >= 0) {
    const objects = isExpired ? undefined : store.listAt(resource.plural, from.rv, namespace);
    if (objects === undefined) throw expiredContinue(options);
    return { objects, rv: from.rv };
  }
  if (exactVersion !== undefined) {
    const objects = isExpired ? undefined : store.listAt(resource.plural, exactVersion, namespace);
    if (objects === undefined) throw expired("The resourceVersion for the provided list is too old.");
    return { objects: shownOf(context, exchange, resource, objects), rv: exactVersion };
  }
  const objects = store.list(resource.plural, namespace);
  return { objects: shownOf(context, exchange, resource, objects), rv: store.resourceVersion() };
}

/** Returns what faults leave of a list. */
function shownOf(
  context: ApiContext,
  exchange: Exchange,
  resource: Resource,
  objects: readonly KubeObject[],
): readonly KubeObject[] {
  if (context.faults.isQuiet) return objects;
  if (context.faults.has("empty", targetOf(exchange))) return [];
  return objects.filter((object) => !context.isHidden(resource.plural, object));
}

/** Makes a 410 with a token that continues in the current state. */
function expiredContinue(options: ListOptions): ApiError {
  return expired(CONTINUE_EXPIRED, formatContinue({ rv: -1, start: (options.from?.start ?? "").replace(/^\//, "") }));
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
    // At the end, lists of custom resources send ""; the built-in ones omit the token.
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
  const items = itemsOf(parts);
  return `${head},"items":[${items.join(",")}]}`;
}

function itemsOf(parts: { context: ApiContext; exchange: Exchange; resource: Resource; page: Page }): string[] {
  const garbage = parts.context.faults.find("garbage", targetOf(parts.exchange));
  if (garbage === undefined) return parts.page.objects.map(listItemJson);
  if (wayOf(garbage) === "drift") return parts.page.objects.map((object) => JSON.stringify(driftedObject(object)));
  return [...parts.page.objects.map(listItemJson), ...garbageItems(parts.resource)];
}

/** Announces the whole body and cuts the connection halfway. */
function breakAnswer(exchange: Exchange, body: string): void {
  const bytes = Buffer.from(body);
  exchange.res.writeHead(200, { "Content-Type": "application/json", "Content-Length": bytes.length });
  exchange.res.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => exchange.res.destroy());
}
