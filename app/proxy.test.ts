import { NextRequest } from "next/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { problemStatus } from "#lib/contract/problem.ts";
import { refuseRawRequest } from "#lib/server/edge/http/guard-raw-requests.ts";
import { allowedMethods, contentSecurityPolicy, securityHeaders } from "#lib/server/edge/http/surface-rules.ts";
import { writeUnavailablePage } from "#lib/server/edge/http/unavailable-page.ts";
import { setWebRuntime, type WebRuntime } from "#lib/server/process/web-runtime.ts";
import { proxy } from "../proxy.ts";

const origin = "http://127.0.0.1:7460";

function answer(method: string, path: string, headers: Record<string, string> = {}): Response {
  return proxy(new NextRequest(`${origin}${path}`, { method, headers }));
}

/** The header that NextResponse.next() sets: the request continues. */
const passes = (response: Response) => response.headers.get("x-middleware-next") === "1";

describe("methods", () => {
  const writes = ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
  const pages = ["/", "/inbox", "/rollouts/a/b/Rollout/c", "/signin", "/nowhere", "/_next/static/x.js", "/favicon.ico"];
  const probes = ["/livez", "/readyz", "/status", "/metrics"];
  const cases = [...pages, ...probes].flatMap((path) => writes.map((method) => ({ method, path })));

  it.each(cases)("$method $path is refused", ({ method, path }) => {
    const response = answer(method, path);
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, HEAD");
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(passes(response)).toBe(false);
  });

  it.each([
    ["POST", "/api/v1/me", "GET, HEAD"],
    ["DELETE", "/api/v1/tokens", "GET, HEAD, POST"],
    ["GET", "/api/v1/tokens/7", "DELETE"],
    ["POST", "/api/v1/audit/export", "GET, HEAD"],
    ["GET", "/api/v1/rollouts/a/b/Rollout/c/actions", "POST"],
    ["POST", "/api/v1/openapi.json", "GET, HEAD"],
  ])("%s %s is refused with Allow: %s", (method, path, allow) => {
    const response = answer(method, path);
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe(allow);
  });

  it.each([
    ["GET", "/inbox"],
    ["HEAD", "/"],
    ["POST", "/api/v1/rollouts/a/b/Rollout/c/actions"],
    ["POST", "/api/auth/signout"],
    ["POST", "/api/nowhere"],
    ["POST", "/hooks/flagger/demo/gate"],
    ["POST", "/mcp"],
  ])("%s %s goes on to its handler", (method, path) => {
    expect(passes(answer(method, path))).toBe(true);
  });

  it("does not take /apis for /api", () => {
    expect(allowedMethods("/apis")).toEqual(["GET", "HEAD"]);
    expect(allowedMethods("/hooksy")).toEqual(["GET", "HEAD"]);
  });
});

describe("what never reaches Next", () => {
  const statusOf = (method: string, url: string) => {
    const refused = refuseRawRequest({ method, url });
    return refused === undefined ? undefined : problemStatus[refused.code];
  };

  it.each(["//", "//inbox", "/a//b", "/./", "/a/../b", "/..", "/\\evil", "/a%2Fb", "/a%5cb", "*", "http://x/y"])(
    "writes to %s",
    (url) => {
      expect(statusOf("POST", url)).toBe(405);
      expect(statusOf("PUT", `${url}?x=1`)).toBe(405);
      const isRefused = /\/\/|\\|\/\./.test(url);
      expect(statusOf("GET", url)).toBe(isRefused ? 404 : undefined);
    },
  );

  it.each(["//evil.example", "//evil.example/..", "/\\evil.example", "/inbox//", "/api//v1/me", "///"])(
    "a read of %s, which it would answer with a redirect",
    (url) => {
      expect(statusOf("GET", url)).toBe(404);
      expect(statusOf("HEAD", `${url}?x=1`)).toBe(404);
    },
  );

  it.each([
    "/livez/../api/v1/me",
    "/livez/%2e%2e/api/v1/me",
    "/livez/.%2E/api/v1/me",
    "/./api/v1/me",
    "/api/v1/%2e",
    "/docs/..",
  ])("a path with dot segments, with any method: %s", (url) => {
    for (const method of ["GET", "HEAD"]) expect(statusOf(method, `${url}?x=1`)).toBe(404);
    for (const method of ["POST", "DELETE"]) expect(statusOf(method, url)).toBe(405);
  });

  it.each(["/.well-known/x", "/docs/a..b", "/rollouts/a/b/Rollout/c.d", "/docs/...", "/inbox?next=/../x"])(
    "but not dots within a segment: %s",
    (url) => {
      expect(statusOf("GET", url)).toBe(undefined);
    },
  );

  it.each(["/_next/image?url=%2Fx.png&w=64&q=75", "/_next/image", "/_next/%69mage?url=x", "/_next/image/x"])(
    "a picture to be made: %s",
    (url) => {
      expect(statusOf("GET", url)).toBe(404);
    },
  );

  it.each(["/_next/static/media/image.png", "/inbox?next=//x", "/a%2Fb", "/_next/images"])(
    "but not a read of %s",
    (url) => {
      expect(statusOf("GET", url)).toBe(undefined);
    },
  );

  it.each(["OPTIONS", "TRACE", "CONNECT", "PROPFIND", "FOO"])("the method %s", (method) => {
    expect(statusOf(method, "/api/v1/me")).toBe(405);
  });

  it.each(["GET", "POST"])("%s of a path that cannot be decoded", (method) => {
    expect(statusOf(method, "/api/%zz")).toBe(400);
  });

  it.each([
    ["POST", "/api/v1/rollouts/a/b/Rollout/c.d/actions"],
    ["POST", "/api/auth/signout?next=//x"],
    ["DELETE", "/api/v1/tokens/7"],
    ["HEAD", "/"],
  ])("but not %s %s", (method, url) => {
    expect(statusOf(method, url)).toBe(undefined);
  });
});

describe("while the database is away", () => {
  const runtime = {
    config: () => ({ config: { publicUrl: origin, auth: {} } }),
    changes: { isDatabaseReachable: () => false },
    writeUnavailablePage,
  };
  beforeAll(() => setWebRuntime(runtime as unknown as WebRuntime));
  afterAll(() => setWebRuntime(undefined));

  it.each(["/", "/inbox", "/signin", "/nowhere", "/docsx"])("the page %s answers 503 and looks again", async (path) => {
    const response = answer("GET", path);
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("3");
    expect(await response.text()).toContain('http-equiv="refresh"');
  });

  it("gives a canary's own command", async () => {
    const page = await answer("GET", "/rollouts/prod-eu/payments/Canary/checkout").text();
    expect(page).toContain(
      "<code>kubectl patch canary checkout -n payments --type=merge -p &#39;{&quot;spec&quot;:{&quot;suspend&quot;:true}}&#39;</code>",
    );
  });

  it.each([
    "/rollouts/prod-eu/payments/Rollout/checkout",
    "/rollouts/prod-eu/payments/Rollout/checkout/releases?tab=x",
    "/rollouts/prod%2Deu/payments/Rollout/%63heckout",
  ])("%s gives the commands that hold its release", async (path) => {
    const response = answer("GET", path);
    expect(response.status).toBe(503);
    const page = await response.text();
    expect(page).toContain("Against cluster prod-eu,");
    expect([...page.matchAll(/<code>(.*)<\/code>/g)].map(([, command]) => command)).toEqual([
      "kubectl patch rollout checkout -n payments --subresource=status --type=merge -p &#39;{&quot;status&quot;:{&quot;abort&quot;:true}}&#39;",
      "kubectl patch rollout checkout -n payments --type=merge -p &#39;{&quot;spec&quot;:{&quot;paused&quot;:true}}&#39;",
    ]);
  });

  it.each([
    "/rollouts/prod-eu/payments/Rollout/checkout%3Brm%20-rf%20~",
    "/rollouts/prod-eu/payments/Rollout/%24(reboot)",
    "/rollouts/prod-eu/payments/Rollout/a'b",
    "/rollouts/prod-eu/payments/Rollout/-n",
    "/rollouts/prod-eu/payments/Rollout/--all",
    "/rollouts/prod-eu/payments/Rollout/a%0Ab",
    "/rollouts/prod-eu/payments/Rollout/checkout%0A",
    "/rollouts/prod-eu/payments/Rollout/Checkout",
    "/rollouts/prod-eu/payments/Rollout/a..b",
    "/rollouts/prod-eu/payments/Rollout/%zz",
    `/rollouts/prod-eu/payments/Rollout/${"a".repeat(254)}`,
    "/rollouts/prod-eu/pay.ments/Rollout/checkout",
    "/rollouts/prod-eu/%3Cscript%3Ealert(1)%3C%2Fscript%3E/Rollout/checkout",
    "/rollouts/%3Cimg%20src=x%20onerror=alert(1)%3E/payments/Rollout/checkout",
    "/rollouts/prod-eu%20%26%26%20true/payments/Rollout/checkout",
    "/rollouts/prod-eu/payments/Checkout/checkout",
    "/rollouts/prod-eu/payments/Rollout/",
    "/x/rollouts/prod-eu/payments/Rollout/checkout",
  ])("%s gives none", async (path) => {
    const page = await answer("GET", path).text();
    expect(page).toContain("cannot reach its database");
    expect(page).not.toMatch(/kubectl|alert|onerror|rm -rf|reboot|Against/);
  });

  it.each(["/docs", "/docs/troubleshooting", "/docs/images/inbox.webp"])("%s can still be read", (path) => {
    expect(passes(answer("GET", path))).toBe(true);
  });

  it("points to what can be read", async () => {
    expect(await answer("GET", "/inbox").text()).toContain('<a href="/docs/troubleshooting">');
  });

  it.each(["/livez", "/readyz", "/status", "/metrics", "/api/v1/me", "/_next/static/x.js", "/extensions/gatehouse.js"])(
    "%s goes on",
    (path) => {
      expect(passes(answer("GET", path))).toBe(true);
    },
  );

  it("leaves an open page's own navigation to the page", () => {
    expect(passes(answer("GET", "/rollouts", { rsc: "1" }))).toBe(true);
  });
});

describe("headers", () => {
  it("gives each page a nonce of its own, on the request too", () => {
    const [one, other] = [answer("GET", "/inbox"), answer("GET", "/inbox")];
    const policy = one.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/script-src 'nonce-[A-Za-z0-9+/=]{24}' 'strict-dynamic';/);
    expect(policy).not.toBe(other.headers.get("content-security-policy"));
    expect(one.headers.get("x-middleware-request-content-security-policy")).toBe(policy);
    expect(one.headers.get("x-middleware-request-x-gatehouse-path")).toBe("/inbox");
  });

  it("believes no header that only we may set", () => {
    const response = answer("GET", "/inbox?tab=x", {
      "x-middleware-subrequest": "proxy:proxy:proxy",
      "x-nonce": "guess",
      "x-gatehouse-path": "//evil.example",
    });
    expect(response.headers.get("x-middleware-request-x-middleware-subrequest")).toBe(null);
    expect(response.headers.get("x-middleware-request-x-nonce")).not.toBe("guess");
    expect(response.headers.get("x-middleware-request-x-gatehouse-path")).toBe("/inbox?tab=x");
  });

  it.each(["/inbox", "/api/v1/me", "/_next/static/x.js", "/livez"])("protects %s", (path) => {
    expect(Object.fromEntries(answer("GET", path).headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
    });
  });

  it("insists on https only over https", () => {
    expect(securityHeaders({ isHttps: true })["strict-transport-security"]).toBe("max-age=31536000");
    expect(securityHeaders({ isHttps: false })["strict-transport-security"]).toBe(undefined);
  });

  it("lets forms go to the identity provider", () => {
    const policy = contentSecurityPolicy({ nonce: "n", formTargets: ["https://id.example"] });
    expect(policy).toContain("form-action 'self' https://id.example");
    expect(policy).toContain("frame-ancestors 'none'");
  });
});
