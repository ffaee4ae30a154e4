import { createHash, timingSafeEqual } from "node:crypto";
import type { AuthOptions } from "next-auth";
import * as nextAuth from "next-auth";
import { csrfCookieName } from "#lib/server/people/auth/session-cookie.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";

export type AuthCall = {
  method: "GET" | "POST";
  /** Below /api/auth, such as `["callback", "oidc"]`. */
  segments: readonly string[];
  query: Record<string, string>;
  body: Record<string, string> | undefined;
  cookies: Record<string, string | undefined>;
};

/**
 * Runs next-auth through its Node interface, with only the values passed here. It does not get the request's own
 * headers, from which it would take its address, nor other parameters, which it would add to authorisation requests.
 */
export async function callNextAuth(call: AuthCall, options: AuthOptions): Promise<Response> {
  const headers = new Headers();
  let status = 200;
  let sent: string | undefined;
  const setCookies: string[] = [];
  const response = {
    status: (code: number) => {
      status = code;
      return response;
    },
    getHeader: (name: string) =>
      name.toLowerCase() === "set-cookie" ? [...setCookies] : (headers.get(name) ?? undefined),
    setHeader: (name: string, value: string | string[]) => {
      if (name.toLowerCase() === "set-cookie") setCookies.splice(0, setCookies.length, ...[value].flat());
      else headers.set(name, String(value));
      return response;
    },
    json: (value: unknown) => {
      headers.set("content-type", "application/json");
      sent = JSON.stringify(value);
    },
    send: (value: unknown) => {
      if (typeof value === "object" && value !== null) response.json(value);
      else sent = value === undefined ? undefined : String(value);
    },
    end: () => {},
  };
  const request = {
    method: call.method,
    query: { ...call.query, nextauth: [...call.segments] },
    body: call.body,
    cookies: call.cookies,
    headers: {},
  };
  await findHandler(nextAuth)(request, response, options);
  for (const cookie of setCookies) headers.append("set-cookie", cookie);
  headers.set("cache-control", "no-store");
  return new Response(sent ?? null, { status, headers });
}

type Handler = (request: object, response: object, options: AuthOptions) => Promise<void>;

/** Finds the handler. The package is CommonJS: the depth of its default export differs between bundler and Node. */
function findHandler(module: unknown): Handler {
  let candidate = module;
  for (let depth = 0; depth < 3; depth += 1) {
    if (typeof candidate === "function") return candidate as Handler;
    candidate = (candidate as { default?: unknown } | undefined)?.default;
  }
  throw new Error("next-auth has no default export that can be called");
}

/**
 * Does next-auth's own CSRF check before our part of the work (next-auth 4.24, core/lib/csrf-token.ts: the cookie holds
 * `token|sha256(token + secret)`, and the form the token). Throws `forbidden`.
 */
export function assertCsrfToken({
  cookies,
  sent,
  secret,
  publicUrl,
}: {
  cookies: Record<string, string | undefined>;
  sent: string | undefined;
  secret: string;
  publicUrl: string;
}): void {
  const [token = "", hash = ""] = (cookies[csrfCookieName(publicUrl)] ?? "").split("|");
  const expected = createHash("sha256").update(`${token}${secret}`).digest("hex");
  if (token !== "" && isSame(hash, expected) && isSame(sent ?? "", token)) return;
  throw new ServiceError("forbidden", "The form's token (csrfToken) is missing or wrong: load the page again.");
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
