import { randomBytes, randomUUID } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { problemResponse } from "#lib/server/edge/http/problem-response.ts";
import {
  allowedMethods,
  contentSecurityPolicy,
  isPage,
  needsNoDatabase,
  securityHeaders,
} from "#lib/server/edge/http/surface-rules.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { findWebRuntime } from "#lib/server/process/web-runtime.ts";

/**
 * The surface of every answer: which methods a path takes, and the security headers. It authorises nothing: each
 * handler does that by itself.
 */
export function proxy(request: NextRequest): Response {
  const { pathname, search } = request.nextUrl;
  const runtime = findWebRuntime();
  const config = runtime?.config().config;
  const security = securityHeaders({ isHttps: config?.publicUrl.startsWith("https:") === true });
  const allowed = allowedMethods(pathname);
  if (allowed !== undefined && !allowed.includes(request.method)) {
    const detail = `${pathname} does not take ${request.method}.`;
    const thrown = new ServiceError("method_not_allowed", detail, { allow: allowed });
    return withHeaders(problemResponse({ thrown, requestId: randomUUID(), runtime }), security);
  }
  const headers = new Headers(request.headers);
  for (const name of ["x-middleware-subrequest", "x-nonce", "content-security-policy"]) headers.delete(name);
  headers.set("x-gatehouse-path", `${pathname}${search}`);
  if (!isPage(pathname)) return withHeaders(NextResponse.next({ request: { headers } }), security);
  const nonce = randomBytes(16).toString("base64");
  const issuer = config?.auth.oidc?.issuer;
  const formTargets = issuer === undefined ? [] : [new URL(issuer).origin];
  const policy = contentSecurityPolicy({ nonce, formTargets });
  // Next reads the nonce from the policy on the request, and puts it on its own scripts.
  headers.set("content-security-policy", policy);
  headers.set("x-nonce", nonce);
  // Next cannot give a page the status 503. Its own navigations (RSC) keep the page that is open and show the error
  // there.
  const isDown = runtime?.changes.isDatabaseReachable() === false;
  if (isDown && !needsNoDatabase(pathname) && !request.headers.has("rsc"))
    return new Response(runtime.writeUnavailablePage(pathname, request.nextUrl.basePath), {
      status: 503,
      headers: {
        ...{ "content-type": "text/html; charset=utf-8", "cache-control": "no-store", "retry-after": "3" },
        ...security,
        "content-security-policy": policy,
      },
    });
  return withHeaders(NextResponse.next({ request: { headers } }), { ...security, "content-security-policy": policy });
}

function withHeaders<Answer extends Response>(response: Answer, headers: Record<string, string>): Answer {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
