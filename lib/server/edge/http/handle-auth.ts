import { randomUUID } from "node:crypto";
import { parseCookie } from "cookie";
import { clientAddress } from "#lib/server/edge/http/client-address.ts";
import { isSameOrigin } from "#lib/server/edge/http/is-same-origin.ts";
import { parseBody, readLimitedText } from "#lib/server/edge/http/parse-input.ts";
import { problemResponse } from "#lib/server/edge/http/problem-response.ts";
import { countSignInRequest } from "#lib/server/edge/http/request-limits.ts";
import { createAuthOptions, type SignInAttempt } from "#lib/server/people/auth/auth-options.ts";
import { type AuthCall, assertCsrfToken, callNextAuth } from "#lib/server/people/auth/call-next-auth.ts";
import { reauthenticationQuery } from "#lib/server/people/auth/oidc-provider.ts";
import { recordFailedSignIn } from "#lib/server/people/auth/record-failed-sign-in.ts";
import { readSessionId, sessionCookieName } from "#lib/server/people/auth/session-cookie.ts";
import { endSession } from "#lib/server/people/auth/stored-session.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { assertSchemaReady } from "#lib/server/process/assert-schema-ready.ts";
import { findWebRuntime, getWebRuntime, type WebRuntime } from "#lib/server/process/web-runtime.ts";
import { basePathOf } from "#lib/util/base-path.ts";
import { safeCallbackPath } from "#lib/util/safe-callback-path.ts";

/** The reachable part of next-auth; its log, session and provider routes are not reachable. */
const routes = {
  GET: ["csrf", "providers", "signin", "signout", "error", "callback/oidc"],
  POST: ["signin/oidc", "callback/demo", "signout"],
} as const;

/**
 * Answers requests below /api/auth. A POST must come from our own pages. Only a browser's own navigation gets a
 * redirect; every other caller sends `json: "true"` and gets JSON.
 */
export async function handleAuth({
  request,
  segments,
}: {
  request: Request;
  segments: readonly string[];
}): Promise<Response> {
  const requestId = randomUUID();
  try {
    const runtime = getWebRuntime();
    // Runs before any lookup: the caller is not known yet, and a callback makes next-auth call the provider.
    countSignInRequest(runtime, clientAddress(request.headers));
    const method = assertRoute({ method: request.method, path: segments.join("/") });
    await assertSchemaReady(runtime);
    const call = await readCall({ request, segments, method, runtime });
    const sessionId = await readSessionId({
      cookie: call.cookies[sessionCookieName(runtime.config().config.publicUrl)],
      secret: runtime.secret,
    });
    const attempt: SignInAttempt = {
      requestId,
      address: clientAddress(request.headers),
      userAgent: request.headers.get("user-agent") ?? undefined,
      replaces: sessionId,
    };
    // Runs before next-auth drops the cookie: a session that could not be revoked must not look revoked.
    if (method === "POST" && segments[0] === "signout") {
      const { publicUrl } = runtime.config().config;
      assertCsrfToken({ cookies: call.cookies, sent: call.body?.csrfToken, secret: runtime.secret, publicUrl });
      if (sessionId !== undefined) await endSession({ runtime, sessionId, requestId });
    }
    const response = await callNextAuth(call, createAuthOptions({ runtime, attempt }));
    return await finish({ request, call, attempt, runtime, response });
  } catch (thrown) {
    return problemResponse({ thrown, requestId, runtime: findWebRuntime() });
  }
}

function assertRoute({ method, path }: { method: string; path: string }): "GET" | "POST" {
  const allowed = (["GET", "POST"] as const).filter((name) => routes[name].some((route) => route === path));
  if (allowed.length === 0) throw new ServiceError("not_found", `There is nothing at /api/auth/${path}.`);
  const found = allowed.find((name) => name === method);
  if (found === undefined)
    throw new ServiceError("method_not_allowed", `/api/auth/${path} accepts ${allowed.join(", ")}.`, {
      allow: allowed,
    });
  return found;
}

async function readCall({
  request,
  segments,
  method,
  runtime,
}: {
  request: Request;
  segments: readonly string[];
  method: "GET" | "POST";
  runtime: WebRuntime;
}): Promise<AuthCall> {
  const { publicUrl } = runtime.config().config;
  const cookies = parseCookie(request.headers.get("cookie") ?? "");
  const search = new URL(request.url).searchParams;
  if (method === "GET") {
    const query = Object.fromEntries(search);
    if (query.callbackUrl !== undefined) query.callbackUrl = safeCallbackPath(query.callbackUrl, publicUrl);
    return { method, segments, query, body: undefined, cookies };
  }
  if (!isSameOrigin({ headers: request.headers, publicUrl }))
    throw new ServiceError("forbidden", "Sign in and out on Gatehouse's own pages.");
  const body = await readBody(request);
  body.callbackUrl = safeCallbackPath(body.callbackUrl ?? search.get("callbackUrl"), publicUrl);
  // Only our own parameters reach the authorisation request, never a caller's.
  const query = body.reauthenticate === "true" ? reauthenticationQuery : {};
  return { method, segments, query, body, cookies };
}

async function readBody(request: Request): Promise<Record<string, string>> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type === "application/x-www-form-urlencoded")
    return Object.fromEntries(new URLSearchParams(await readLimitedText(request)));
  if (type !== "application/json")
    throw new ServiceError("unsupported_media_type", "Send a form (application/x-www-form-urlencoded) or JSON.");
  const parsed = parseBody(await readLimitedText(request));
  if (typeof parsed !== "object" || parsed === null)
    throw new ServiceError("invalid_request", "The body is not a JSON object.");
  return Object.fromEntries(
    Object.entries(parsed).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

async function finish({
  request,
  call,
  attempt,
  runtime,
  response,
}: {
  request: Request;
  call: AuthCall;
  attempt: SignInAttempt;
  runtime: WebRuntime;
  response: Response;
}): Promise<Response> {
  const isCallback = call.segments[0] === "callback";
  if (isCallback && call.method === "GET" && attempt.sessionId === undefined && attempt.failure === undefined) {
    const reason = "the provider's answer could not be verified";
    const { address, requestId } = attempt;
    await recordFailedSignIn({ runtime, address, name: undefined, reason, requestId });
  }
  const isJson = call.body?.json === "true";
  if (attempt.failure !== undefined) {
    const basePath = basePathOf(runtime.config().config.publicUrl);
    return failedResponse({ attempt, isJson, call, response, basePath });
  }
  if (call.method === "GET" || response.status < 300 || response.status >= 400) return response;
  if (isNavigation(request.headers)) return response;
  throw new ServiceError("invalid_request", 'Send json: "true" with the form; redirects are for browsers only.');
}

const problems = {
  AccessDenied: ["forbidden", "This account has no role. Ask an administrator of Gatehouse."],
  UnusableIdentity: ["forbidden", "The identity provider's answer does not say who you are; the log names the reason."],
  GroupsLeftOut: [
    "forbidden",
    "You are in too many groups for the identity provider's answer; the log says what to do.",
  ],
  CredentialsSignin: ["unauthenticated", "User name or password is wrong."],
  RateLimited: ["rate_limited", "Too many failed sign-ins; wait a few minutes."],
  Unavailable: ["unavailable", "Sign-in is unavailable: the database does not accept writes."],
} as const;

function failedResponse({
  attempt,
  isJson,
  call,
  response,
  basePath,
}: {
  attempt: SignInAttempt;
  isJson: boolean;
  call: AuthCall;
  response: Response;
  basePath: string;
}): Response {
  const { failure = "Unavailable", retryAfterSeconds } = attempt;
  if (isJson || (call.method === "POST" && response.status < 300)) {
    const [code, detail] = problems[failure];
    throw new ServiceError(code, detail, { retryAfterSeconds });
  }
  const headers = new Headers(response.headers);
  const callbackUrl = call.body?.callbackUrl;
  const back =
    callbackUrl === undefined || callbackUrl === "/" ? "" : `&callbackUrl=${encodeURIComponent(callbackUrl)}`;
  headers.set("location", `${basePath}/signin?error=${failure}${back}`);
  headers.delete("content-type");
  return new Response(null, { status: 303, headers });
}

/**
 * Returns whether the browser itself sends the form. Without Fetch Metadata (plain http), Origin was checked already.
 */
function isNavigation(headers: Headers): boolean {
  const mode = headers.get("sec-fetch-mode");
  return mode === null || mode === "navigate";
}
