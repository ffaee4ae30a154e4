import type { IncomingHttpHeaders } from "node:http";
import { ServiceError } from "#lib/server/actor/service-error.ts";
import { authenticate } from "#lib/server/auth/authenticate.ts";
import { parseCookies, sessionCookieName } from "#lib/server/auth/session-cookie.ts";
import { takeOpenRequest } from "#lib/server/http/request-limits.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";

type OpenRequest = {
  runtime: WebRuntime;
  /** Without the base path; it can be decoded. */
  path: string;
  headers: IncomingHttpHeaders;
  address: string;
};

/** Everybody may read these, whoever they are. */
const openPaths = ["/docs", "/signin", "/status", "/api/v1/openapi.json"];
/** Probes, which must always be answered; files of the build; and paths that have limits of their own. */
const uncounted = ["/livez", "/readyz", "/_next", "/api/auth", "/hooks"];

/**
 * Counts a request that needs no session, or has none, by its address. Undefined: it may go on. Otherwise a promise of
 * the refusal, or of undefined: behind a proxy that the config does not name everybody has one address, so the limit
 * refuses no signed-in person.
 */
export function limitOpenRequest(request: OpenRequest): Promise<ServiceError | undefined> | undefined {
  const { runtime, address } = request;
  if (!isOpen(request)) return undefined;
  const retryAfterSeconds = takeOpenRequest(runtime, address);
  return retryAfterSeconds === undefined ? undefined : refuseUnknown(request, retryAfterSeconds);
}

function isOpen({ runtime, path, headers }: OpenRequest): boolean {
  const decoded = decodeURIComponent(path);
  if (isBelowAny(decoded, uncounted)) return false;
  if (isBelowAny(decoded, openPaths)) return true;
  const cookie = sessionCookieName(runtime.config().config.publicUrl);
  return headers.authorization === undefined && parseCookies(headers.cookie ?? null)[cookie] === undefined;
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
