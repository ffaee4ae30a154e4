import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { AuditedWrite } from "#sandbox/audit/audit-event.ts";
import type { ApiContext } from "./api-context.ts";
import { internalError, isApiError } from "./api-error.ts";
import {
  type Authorize,
  accessRequestOf,
  authenticate,
  authorizeByRole,
  forbidden,
  impersonate,
  type UserInfo,
} from "./auth.ts";
import { discover } from "./discovery.ts";
import {
  auditIdOf,
  type Exchange,
  formatOf,
  mute,
  requireAcceptable,
  sendError,
  sendJson,
  sendPathNotFound,
  sendText,
  sendTooMany,
  setCommonHeaders,
  targetOf,
} from "./exchange.ts";
import { FaultEffects } from "./fault-effects.ts";
import { maskObject, skewOf } from "./fault-masks.ts";
import { FaultBoard, wayOf } from "./faults.ts";
import { parseRequestInfo, type RequestInfo } from "./request-info.ts";
import { findResource, type Resource } from "./resources.ts";
import { CONTROL_PREFIX, type ControlHooks, serveControl } from "./serve-control.ts";
import { serveList } from "./serve-list.ts";
import { serveLog } from "./serve-log.ts";
import { serveReview } from "./serve-reviews.ts";
import { serveWatch } from "./serve-watch.ts";
import {
  methodNotAllowed,
  requireObject,
  sendObject,
  serveCreate,
  serveDelete,
  serveDeleteCollection,
  servePatch,
  serveScale,
  serveUpdate,
} from "./serve-write.ts";
import type { ApiStore } from "./store.ts";
import { partialOf, tableOf } from "./table-format.ts";
import { WatchHub } from "./watch-hub.ts";

export type ApiServerOptions = ControlHooks & {
  store: ApiStore;
  /** The cluster-admin bearer token. */
  token: string;
  now: () => Date;
  /** Users by bearer token; `authorize` decides their rights. */
  users?: ReadonlyMap<string, UserInfo>;
  authorize?: Authorize;
  bookmarksMs?: number;
  /** Called for each write to a custom resource that was carried out, for its audit event. */
  onWrite?: (write: AuditedWrite) => void;
  onError?: (error: unknown) => void;
};

export type ApiServer = {
  faults: FaultBoard;
  /** Returns the number of open watches, of one resource or of all. */
  watchCount(resource?: string): number;
  /** Listens on loopback (0 = any free port) and returns the port. */
  listen(port: number): Promise<number>;
  /** Stops at once and closes open watches. */
  close(): Promise<void>;
};

/** Creates the sandbox's Kubernetes API server on a store. */
export function createApiServer(options: ApiServerOptions): ApiServer {
  const faults = new FaultBoard({
    now: options.now,
    onChange: (active, isOn) => effects.apply(active, isOn),
  });
  const context: ApiContext = {
    store: options.store,
    token: options.token,
    users: options.users ?? new Map(),
    now: options.now,
    authorize: options.authorize ?? authorizeByRole,
    faults,
    isHidden: (resource, object) => effects.isHidden(resource, object),
    bookmarksMs: options.bookmarksMs ?? 60_000,
  };
  const hub: WatchHub = new WatchHub(context);
  const effects: FaultEffects = new FaultEffects({ context, hub, closeIdle: () => server.closeIdleConnections() });
  const server: Server = createServer((req, res) => {
    handle({ context, hub, effects, hooks: options, onWrite: options.onWrite, req, res }).catch((error: unknown) => {
      if (!isApiError(error)) options.onError?.(error);
      sendError(res, isApiError(error) ? error : internalError(String(error)));
    });
  });
  server.keepAliveTimeout = 60_000;
  return {
    faults,
    watchCount: (resource) => hub.count(resource),
    listen: (port) => listen(server, port),
    close: () =>
      new Promise((resolve) => {
        faults.set({ fault: "none" });
        hub.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

type Handling = {
  context: ApiContext;
  hub: WatchHub;
  effects: FaultEffects;
  hooks: ControlHooks;
  onWrite: ApiServerOptions["onWrite"];
  req: IncomingMessage;
  res: ServerResponse;
};

async function handle({ context, hub, effects, hooks, onWrite, req, res }: Handling): Promise<void> {
  const url = new URL(`http://sandbox${req.url ?? "/"}`);
  const info = parseRequestInfo(req.method ?? "GET", url);
  const isControl = info.path.startsWith(CONTROL_PREFIX);
  const target = targetOf({ info });
  const { faults } = context;
  setCommonHeaders({ req, res }, new Date(context.now().getTime() + (isControl ? 0 : skewOf(faults, target))));
  const drop = isControl ? undefined : faults.find("drop", target);
  if (drop !== undefined && drop.rate === undefined) {
    req.socket.destroy();
    return;
  }
  const owner = authenticate(req.headers.authorization, context.token, context.users);
  const exchange: Exchange = { req, res, url, info, user: owner };
  if (isControl) return serveControl(context, hooks, exchange);
  exchange.user = impersonate({ user: owner, rawHeaders: req.rawHeaders, info, authorize: context.authorize });
  const decision = context.authorize(accessRequestOf(exchange.user, info));
  if (!decision.allowed || faults.has("403", target)) {
    throw forbidden({
      user: exchange.user,
      info,
      ...(decision.reason === undefined || decision.allowed ? {} : { reason: decision.reason }),
    });
  }
  if (faults.has("429", target)) return sendTooMany(res);
  const stall = faults.find("stall", target);
  if (stall !== undefined && wayOf(stall) !== "watches") {
    effects.hold(stall, exchange);
    if (wayOf(stall) === "requests") return;
    mute(res);
  }
  if (faults.has("500", target)) throw internalError("the sandbox was told to fail");
  if (faults.has("404", target)) return sendPathNotFound(res);
  if (await serveReview(context, exchange)) return;
  const resource = servedResource(info);
  if (resource === undefined) return serveDiscovery(exchange);
  const receivedAt = context.now();
  await serveResource({ context, hub, exchange, resource });
  if (onWrite !== undefined && resource.custom && WRITES.has(info.verb) && res.statusCode < 400)
    onWrite(auditOf({ exchange, owner, resource, receivedAt, answeredAt: context.now() }));
}

const WRITES = new Set(["create", "update", "patch", "delete"]);

/** Returns the content of a request's audit event. */
function auditOf({
  exchange: { info, req, res, user, sent },
  owner,
  ...known
}: {
  exchange: Exchange;
  owner: UserInfo;
  resource: Resource;
  receivedAt: Date;
  answeredAt: Date;
}): AuditedWrite {
  const { verb, subresource, namespace, name } = info;
  return {
    ...known,
    ...{ verb, subresource, namespace, name, user: owner },
    uri: req.url ?? "/",
    impersonated: user === owner ? undefined : user,
    userAgent: req.headers["user-agent"] ?? "",
    auditId: auditIdOf(res),
    sourceIp: req.socket.remoteAddress ?? "",
    code: res.statusCode,
    sent: parseSent(sent),
  };
}

function parseSent(sent: string | undefined): unknown {
  try {
    return sent === undefined ? undefined : JSON.parse(sent);
  } catch {
    return undefined;
  }
}

/** Returns the resource that the path names, if it is served at that group, version and scope. */
function servedResource(info: RequestInfo): Resource | undefined {
  if (!info.isResource) return undefined;
  const resource = findResource(info.resource);
  if (resource === undefined || resource.group !== info.group || resource.version !== info.version) return undefined;
  const isNamespace = resource.plural === "namespaces";
  if (!resource.namespaced && !isNamespace && info.namespace !== undefined) return undefined;
  if (resource.namespaced && info.namespace === undefined && info.name !== undefined) return undefined;
  return resource;
}

async function serveDiscovery(exchange: Exchange): Promise<void> {
  const answer = exchange.info.verb === "get" ? discover(exchange.info.path) : undefined;
  if (answer === undefined) sendPathNotFound(exchange.res);
  else if ("text" in answer) sendText(exchange.res, 200, answer.text);
  else await sendJson(exchange, 200, JSON.stringify(answer.json));
}

type Serving = { context: ApiContext; hub: WatchHub; exchange: Exchange; resource: Resource };

async function serveResource({ context, hub, exchange, resource }: Serving): Promise<void> {
  const { verb, subresource } = exchange.info;
  requireAcceptable(exchange.req);
  if (subresource === "scale") return serveScale(context, exchange, resource);
  if (subresource === "log" && verb === "get") return serveLog(context, exchange, resource);
  switch (verb) {
    case "list":
      return serveList(context, exchange, resource);
    case "watch":
      return serveWatch({ context, hub, exchange, resource });
    case "get":
      return serveGet(context, exchange, resource);
    case "create":
      return serveCreate({ context, exchange, resource });
    case "update":
      return serveUpdate({ context, exchange, resource });
    case "patch":
      return servePatch({ context, exchange, resource });
    case "delete":
      return serveDelete({ context, exchange, resource });
    case "deletecollection":
      return serveDeleteCollection({ context, exchange, resource });
    default:
      throw methodNotAllowed(exchange, resource);
  }
}

async function serveGet(context: ApiContext, exchange: Exchange, resource: Resource): Promise<void> {
  const object = maskObject(context, requireObject(context, exchange, resource));
  const format = formatOf(exchange.req);
  if (format === "object") return sendObject(exchange, 200, object);
  if (format === "partial") return sendJson(exchange, 200, JSON.stringify(partialOf(object)));
  const metadata = { resourceVersion: object.metadata.resourceVersion };
  const includeObject = exchange.url.searchParams.get("includeObject");
  const table = tableOf({ resource, objects: [object], metadata, includeObject, now: context.now() });
  return sendJson(exchange, 200, JSON.stringify(table));
}
