import { randomUUID } from "node:crypto";
import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { peerHeader, settleClientAddress } from "#lib/server/edge/http/client-address.ts";
import { countConnection, limitOpenRequest } from "#lib/server/edge/http/open-requests.ts";
import { placeRequest } from "#lib/server/edge/http/place-request.ts";
import { problemOf } from "#lib/server/edge/http/problem-response.ts";
import { withRawResponse } from "#lib/server/edge/http/stream-lines.ts";
import { slackClicksOf } from "#lib/server/pages/inbox/answer-slack-click.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { findWebRuntime } from "#lib/server/process/web-runtime.ts";
import { hookServerOf } from "#lib/server/webhooks/create-hook-server.ts";
import { isBelowHooks, serveHook } from "#lib/server/webhooks/serve-hooks.ts";
import { basePathOf } from "#lib/util/base-path.ts";

type Emit = (this: Server, event: string | symbol, ...args: unknown[]) => boolean;
type RawRequest = { method?: string | undefined; url?: string | undefined };

const guarded = Symbol.for("gatehouse.guarded-requests");
type Guarded = { emit: Emit; [guarded]?: boolean };
const readMethods = ["GET", "HEAD"];
const writeMethods = ["POST", "PUT", "PATCH", "DELETE"];
/** `/livez/../api/v1/me` would be resolved to another path than the one that a proxy in front has let pass. */
const dotSegment = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * Refuses what Next would answer by itself, before any of our code. That is a redirect (308) on paths with doubled
 * slashes or backslashes, 204 to OPTIONS, and 500 to other methods and to undecodable paths. It would also make images
 * of any requested size. Undefined: Next may handle it.
 */
export function refuseRawRequest({ method = "", url = "" }: RawRequest): ServiceError | undefined {
  const path = pathOf({ url });
  const allow = readMethods;
  const isWrite = writeMethods.includes(method);
  if (!isWrite && !readMethods.includes(method))
    return new ServiceError("method_not_allowed", `Method ${method} is not supported.`, {
      allow: [...readMethods, ...writeMethods],
    });
  if (!canDecode(path)) return new ServiceError("invalid_request", "The path cannot be decoded.");
  const isOdd = /\/\/|\\/.test(path) || dotSegment.test(path);
  if (isWrite && (isOdd || !path.startsWith("/") || /%2f|%5c/i.test(path)))
    return new ServiceError("method_not_allowed", "A path in this form does not accept writes.", { allow });
  if (isOdd) return new ServiceError("not_found", "There is nothing at a path in this form.");
  if (/^\/_next\/image(\/|$)/.test(decodeURIComponent(path)))
    return new ServiceError("not_found", "Image optimization is off.");
  return undefined;
}

function pathOf({ url = "" }: RawRequest): string {
  return url.split(/[?#]/, 1)[0] ?? "";
}

/**
 * Wraps Next's request handler, and answers hooks itself: to a hook that calls a wrong address, a redirect or a 204
 * looks like success. Upgrades no connection: Next would keep a socket open for ever if no route matches its path. The
 * socket is known only here, so this also corrects X-Forwarded-For and keeps the raw response for handlers that must cut
 * it. Next makes its server itself: without one given, every server of the process is guarded.
 */
export function guardRawRequests(server: Server = Server.prototype): void {
  const target = server as unknown as Guarded;
  if (target[guarded] === true) return;
  target[guarded] = true;
  const emit = target.emit;
  target.emit = function guardedEmit(event, ...args) {
    if (event === "connection") {
      countConnection();
      ignoreUpgrades(this);
    }
    if (event === "upgrade" || event === "connect") return refuseUpgrade(args[1] as Socket);
    if (event !== "request") return emit.call(this, event, ...args);
    const [request, response] = args as [IncomingMessage, ServerResponse];
    const { headers, socket, url = "" } = request;
    const runtime = findWebRuntime();
    const basePath = runtime === undefined ? "" : basePathOf(runtime.config().config.publicUrl);
    const placed = placeRequest(url, basePath);
    const error =
      refuseRawRequest({ method: request.method, url: placed?.own ?? url }) ?? refusePlace(placed, basePath);
    const { address, peer } = settleClientAddress({
      peer: socket?.remoteAddress,
      forwarded: headers["x-forwarded-for"],
      trustedProxies: runtime?.config().config.trustedProxies ?? [],
    });
    headers["x-forwarded-for"] = address;
    headers[peerHeader] = peer;
    if (error === undefined && placed !== undefined && isBelowHooks(pathOf({ url: placed.own }))) {
      request.url = placed.own;
      const clicks = runtime === undefined ? undefined : slackClicksOf(runtime);
      void serveHook({ request, response, address, server: hookServerOf(runtime), clicks });
      return true;
    }
    if (placed !== undefined) request.url = placed.next;
    const answer = (refusal: ServiceError | undefined) => {
      if (refusal === undefined) return withRawResponse(response, () => emit.call(this, event, ...args));
      refuse({ request, response, error: refusal });
      return true;
    };
    if (error !== undefined || placed === undefined || runtime === undefined) return answer(error);
    const limited = limitOpenRequest({ runtime, path: pathOf({ url: placed.own }), headers, address, response });
    if (limited === undefined) return answer(undefined);
    void limited.then(answer);
    return true;
  };
}

/** Without a listener, Node answers a request that asks for an upgrade as an ordinary one, and ends a CONNECT. */
function ignoreUpgrades(server: Server): void {
  server.removeAllListeners("upgrade").removeAllListeners("connect");
}

/** For a listener that was added after the connection was made. Node has detached the socket: nothing else ends it. */
function refuseUpgrade(socket: Socket): true {
  socket.on("error", () => {});
  socket.end("HTTP/1.1 501 Not Implemented\r\nconnection: close\r\ncontent-length: 0\r\n\r\n", () => socket.destroy());
  return true;
}

function refusePlace(placed: unknown, basePath: string): ServiceError | undefined {
  if (placed !== undefined) return undefined;
  const detail = `Gatehouse is served below ${basePath}/. A proxy in front of it must not remove that from the path.`;
  return new ServiceError("not_found", detail);
}

/** Answers a browser with plain words, and others with a problem document. */
function refuse({
  request,
  response,
  error,
}: {
  request: IncomingMessage;
  response: ServerResponse;
  error: ServiceError;
}): void {
  const problem = problemOf({ error, requestId: randomUUID() });
  const { allow, retryAfterSeconds } = error.extra;
  const isRead = request.headers.accept?.includes("text/html") === true;
  response.writeHead(problem.status, {
    "content-type": isRead ? "text/plain; charset=utf-8" : "application/problem+json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...(allow === undefined ? {} : { allow: allow.join(", ") }),
    ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
  });
  response.end(isRead ? `${problem.detail}\n` : JSON.stringify(problem));
  request.resume();
}

function canDecode(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
