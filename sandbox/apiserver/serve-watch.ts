import type { ApiContext } from "./api-context.ts";
import { type Exchange, formatOf, targetOf } from "./exchange.ts";
import { invalidMatch, parseFilter, parseWatchVersion } from "./list-options.ts";
import type { Resource } from "./resources.ts";
import type { Watcher, WatchHub } from "./watch-hub.ts";

const MIN_DEFAULT_TIMEOUT_SECONDS = 1800;
/** The last bookmark comes this long before the end, if there is that much time. */
const LAST_BOOKMARK_MS = 2000;

/** Opens a watch: initial objects or the events since a version, then live events until the timeout. */
export function serveWatch(parts: {
  context: ApiContext;
  hub: WatchHub;
  exchange: Exchange;
  resource: Resource;
}): void {
  const { context, hub, exchange, resource } = parts;
  const params = exchange.url.searchParams;
  const { namespace, name } = exchange.info;
  const isListing = readSendInitialEvents(params);
  const from = parseWatchVersion(params);
  const filter = parseFilter({
    resource,
    params,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
  });
  const watcher: Watcher = {
    res: exchange.res,
    resource,
    namespace,
    filter,
    format: formatOf(exchange.req),
    includeObject: params.get("includeObject"),
    knowsColumns: false,
    lastVersion: from ?? context.store.resourceVersion(),
    timers: [],
  };
  exchange.res.writeHead(200, { "Content-Type": "application/json" });
  exchange.res.flushHeaders();
  if (
    context.faults.has("410", targetOf(exchange)) ||
    (from !== undefined && !isListing && from < context.store.floor())
  ) {
    hub.sendError(watcher, hub.tooOld(watcher));
    return;
  }
  hub.add(watcher);
  hub.greetWithGarbage(watcher);
  if (from === undefined || isListing) sendExisting(context, hub, watcher);
  else hub.replay(watcher);
  const hasBookmarks = isTrue(params.get("allowWatchBookmarks")) && watcher.format !== "table";
  if (isListing) hub.sendBookmark(watcher, { "k8s.io/initial-events-end": "true" });
  schedule({ context, hub, watcher, hasBookmarks, timeoutMs: timeoutOf(params) });
}

function sendExisting(context: ApiContext, hub: WatchHub, watcher: Watcher): void {
  watcher.lastVersion = context.store.resourceVersion();
  for (const object of context.store.list(watcher.resource.plural)) {
    if (watcher.filter.matches(object)) hub.sendInitial(watcher, object);
  }
}

function readSendInitialEvents(params: URLSearchParams): boolean {
  const asked = params.get("sendInitialEvents");
  const match = params.get("resourceVersionMatch") ?? "";
  if (asked === null) {
    if (match !== "")
      throw invalidMatch("Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
    return false;
  }
  if (match !== "NotOlderThan") {
    throw invalidMatch("Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
  }
  return isTrue(asked);
}

function isTrue(value: string | null): boolean {
  return value === "true" || value === "1";
}

function timeoutOf(params: URLSearchParams): number {
  const asked = Number(params.get("timeoutSeconds") ?? "0");
  const seconds = asked > 0 ? asked : MIN_DEFAULT_TIMEOUT_SECONDS * (1 + Math.random());
  return Math.min(seconds, 86_400) * 1000;
}

function schedule(parts: {
  context: ApiContext;
  hub: WatchHub;
  watcher: Watcher;
  hasBookmarks: boolean;
  timeoutMs: number;
}): void {
  const { hub, watcher, timeoutMs } = parts;
  watcher.timers.push(setTimeout(() => hub.end(watcher), timeoutMs));
  if (!parts.hasBookmarks) return;
  watcher.timers.push(setInterval(() => hub.sendBookmark(watcher), parts.context.bookmarksMs));
  if (timeoutMs > LAST_BOOKMARK_MS) {
    watcher.timers.push(setTimeout(() => hub.sendBookmark(watcher), timeoutMs - LAST_BOOKMARK_MS));
  }
}
