import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import { parseCookie } from "cookie";
import { takeOpenRequest } from "#lib/server/edge/http/request-limits.ts";
import { authenticate } from "#lib/server/people/auth/authenticate.ts";
import { readSessionId, sessionCookieName } from "#lib/server/people/auth/session-cookie.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";

type OpenRequest = {
  runtime: WebRuntime;
  /** Without the base path; it can be decoded. */
  path: string;
  headers: IncomingHttpHeaders;
  address: string;
  response: ServerResponse;
};

/** Readable without a session. */
const openPaths = ["/docs", "/signin", "/status", "/api/v1/openapi.json"];
/** Probes, which must always be answered; files of the build; and paths that have limits of their own. */
const uncounted = ["/livez", "/readyz", "/_next", "/api/auth", "/hooks"];

/** Wrong tokens have a limit of their own here (authenticate.ts). */
const tokenPaths = ["/api/v1", "/metrics"];

/**
 * Counts a request that needs no session, or has none, by its address. Undefined: it may proceed. Otherwise a promise
 * of the refusal, or of undefined: behind a proxy that the config does not name all clients have one address, so the
 * limit refuses no signed-in person.
 */
export function limitOpenRequest(request: OpenRequest): Promise<ServiceError | undefined> | undefined {
  const { runtime, path, headers } = request;
  const decoded = decodeURIComponent(path);
  if (isBelowAny(decoded, uncounted)) return undefined;
  if (isBelowAny(decoded, openPaths)) return count(request);
  if (headers.authorization !== undefined && isBelowAny(decoded, tokenPaths)) return undefined;
  const name = sessionCookieName(runtime.config().config.publicUrl);
  const cookie = parseCookie(headers.cookie ?? "")[name];
  return cookie === undefined ? count(request) : countForged(request, cookie);
}

/** A cookie that Gatehouse did not sign is as good as none; checking one takes a quarter of a millisecond. */
async function countForged(request: OpenRequest, cookie: string): Promise<ServiceError | undefined> {
  const sessionId = await readSessionId({ cookie, secret: request.runtime.secret });
  return sessionId === undefined ? count(request) : undefined;
}

function count(request: OpenRequest): Promise<ServiceError | undefined> {
  const retryAfterSeconds = takeOpenRequest(request.runtime, request.address);
  return retryAfterSeconds === undefined ? waitForTurn(request) : refuseUnknown(request, retryAfterSeconds);
}

/** A turn ends with its answer, or after this: a client that reads slowly or goes away must not keep the others waiting. */
const longestTurnMs = 100;
const mostWaiting = 100;

/** `last`: resolves when the newest turn ends. */
type Line = { last: Promise<void>; waiting: number };
const lines = new WeakMap<WebRuntime, Line>();

/**
 * Answers one open request at a time. A page takes 25 to 60 ms of the event loop, and an attacker may ask for many at
 * once, from many addresses: while they wait, hooks and people with a session are answered. A request whose client has
 * gone is refused, so that asking and leaving starts no pages side by side.
 */
async function waitForTurn({ runtime, response }: OpenRequest): Promise<ServiceError | undefined> {
  const line = lines.get(runtime) ?? { last: Promise.resolve(), waiting: 0 };
  lines.set(runtime, line);
  if (line.waiting >= mostWaiting) return refuseBusy();
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const before = line.last;
  line.last = promise;
  line.waiting += 1;
  await before;
  line.waiting -= 1;
  await letOthersConnect();
  if (response.closed) {
    end();
    return refuseBusy();
  }
  setTimeout(end, longestTurnMs).unref();
  response.once("finish", end);
  return undefined;
}

function refuseBusy(): ServiceError {
  const detail = "Too many requests without a session at the same time; try again in a moment.";
  return new ServiceError("rate_limited", detail, { retryAfterSeconds: 1 });
}

let connections = 0;
const mostLoopTurns = 100;

/** Counts a connection that this process has accepted. */
export function countConnection(): void {
  connections += 1;
}

/**
 * Waits until no new connection is waiting. Node accepts one in each turn of its event loop: if each turn rendered a page,
 * a gate behind twenty connections would wait for twenty pages.
 */
async function letOthersConnect(): Promise<void> {
  for (let turn = 0; turn < mostLoopTurns; turn++) {
    const before = connections;
    await setImmediate();
    if (connections === before) return;
  }
}

async function refuseUnknown(
  { runtime, headers, address }: OpenRequest,
  retryAfterSeconds: number,
): Promise<ServiceError | undefined> {
  const { authorization, cookie } = headers;
  const given = new Headers();
  if (authorization !== undefined) given.set("authorization", authorization);
  if (cookie !== undefined) given.set("cookie", cookie);
  const isKnown = await authenticate({ runtime, headers: given, address }).then(
    () => true,
    () => false,
  );
  if (isKnown) return undefined;
  const detail = "Too many requests without a session from this address; wait a moment, or sign in.";
  return new ServiceError("rate_limited", detail, { retryAfterSeconds });
}

function isBelowAny(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => path === root || path.startsWith(`${root}/`));
}
