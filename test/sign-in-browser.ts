import { expect } from "vitest";
import { handleAuth } from "#lib/server/edge/http/handle-auth.ts";
import { testOrigin } from "#test/web-runtime.ts";

/** A browser that knows two sites: ours, served by calling the handler, and the provider's, over the network. */
export class Browser {
  readonly cookies = new Map<string, Map<string, string>>();

  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const { origin, pathname, search } = new URL(url);
    const jar = this.cookies.get(origin) ?? new Map<string, string>();
    this.cookies.set(origin, jar);
    const headers = new Headers(init.headers);
    headers.set("cookie", [...jar].map(([name, value]) => `${name}=${value}`).join("; "));
    const request = new Request(url, { ...init, headers, redirect: "manual" });
    const path = `${pathname}${search}`;
    const response = path.startsWith("/api/auth/") ? await this.callOwn(request) : await fetch(request);
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  cookieHeader(origin: string): string {
    return [...(this.cookies.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  private callOwn(request: Request): Promise<Response> {
    return handleAuth({ request, segments: new URL(request.url).pathname.split("/").slice(3) });
  }
}

export const navigation = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate" };

/** Presses the button on our page; returns the provider's authorisation URL. */
export async function begin(browser: Browser, fields: Record<string, string> = {}): Promise<URL> {
  const csrf = (await (await browser.fetch(`${testOrigin}/api/auth/csrf`)).json()) as { csrfToken: string };
  const body = new URLSearchParams({ csrfToken: csrf.csrfToken, callbackUrl: "/rollouts", ...fields });
  const response = await browser.fetch(`${testOrigin}/api/auth/signin/oidc?prompt=none&scope=admin`, {
    method: "POST",
    body,
    headers: navigation,
  });
  expect(response.status).toBe(302);
  return new URL(response.headers.get("location") ?? "");
}

/** Submits the provider's form and follows redirects until the provider sends the browser back; returns that URL. */
export async function logIn(browser: Browser, authorization: URL, login: string): Promise<string> {
  let url = authorization.href;
  for (let hop = 0; hop < 10; hop += 1) {
    const response = await browser.fetch(url);
    const location = response.headers.get("location");
    if (location === null) {
      const action = /action="([^"]+)"/.exec(await response.text())?.[1] ?? "";
      const body = new URLSearchParams({ prompt: "login", login, password: "any" });
      const posted = await browser.fetch(new URL(action, url).href, { method: "POST", body });
      url = new URL(posted.headers.get("location") ?? "", url).href;
    } else url = new URL(location, url).href;
    if (url.startsWith(testOrigin)) return url;
  }
  throw new Error("the provider did not come back");
}
