import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Me } from "#lib/contract/system.ts";
import { handleAuth } from "#lib/server/edge/http/handle-auth.ts";
import { startTestWeb, type TestWeb, testAccounts, testOrigin } from "#test/web-runtime.ts";
import * as meRoute from "../v1/me/route.ts";

let web: TestWeb;
beforeAll(async () => {
  web = await startTestWeb();
});
afterAll(() => web.close());

/** Keeps the browser cookies that sign-in needs. */
function createJar() {
  const cookies = new Map<string, string>();
  return {
    header: () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    has: (name: string) => (cookies.get(name) ?? "") !== "",
    take: (response: Response) => {
      for (const line of response.headers.getSetCookie()) {
        const [pair = ""] = line.split(";");
        const at = pair.indexOf("=");
        cookies.set(pair.slice(0, at), pair.slice(at + 1));
      }
    },
  };
}

type Jar = ReturnType<typeof createJar>;

async function callAuth(jar: Jar, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("cookie", jar.header());
  const request = new Request(`${testOrigin}/api/auth/${path}`, { ...init, headers });
  const [pathname = ""] = path.split("?");
  const response = await handleAuth({ request, segments: pathname.split("/") });
  jar.take(response);
  return response;
}

const browser = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate" };

async function post(jar: Jar, path: string, form: Record<string, string>, headers: Record<string, string> = browser) {
  const csrf = (await (await callAuth(jar, "csrf")).json()) as { csrfToken: string };
  const body = new URLSearchParams({ csrfToken: csrf.csrfToken, ...form });
  return callAuth(jar, path, { method: "POST", body, headers });
}

async function getMe(jar: Jar): Promise<Response> {
  return meRoute.GET(new Request(`${testOrigin}/api/v1/me`, { headers: { cookie: jar.header() } }));
}

async function auditCodes(): Promise<string[]> {
  const { rows } = await web.runtime.pool.query<{ code: string }>("SELECT code FROM audit_entry ORDER BY seq");
  return rows.map((row) => row.code);
}

describe("demo sign-in", () => {
  it("opens a session that sign-out revokes, both audited", async () => {
    const jar = createJar();
    const response = await post(jar, "callback/demo", { ...testAccounts.operator, callbackUrl: "/rollouts?q=a" });
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe(`${testOrigin}/rollouts?q=a`);
    const me = Me.parse(await (await getMe(jar)).json());
    expect(me).toMatchObject({ name: "operator", role: "operator", groups: ["gatehouse:operators"], demo: true });

    const before = jar.header();
    expect((await post(jar, "signout", {})).status).toBe(302);
    const replay = await meRoute.GET(new Request(`${testOrigin}/api/v1/me`, { headers: { cookie: before } }));
    expect(replay.status).toBe(401);
    expect((await auditCodes()).slice(-2)).toEqual(["session.signin", "session.signout"]);
  });

  it.each([
    { name: "none", token: undefined },
    { name: "an empty one", token: "" },
    { name: "another", token: "0".repeat(64) },
  ])("keeps the session if a sign-out brings no token of its own: $name", async ({ token }) => {
    const jar = createJar();
    await post(jar, "callback/demo", { ...testAccounts.viewer });
    await callAuth(jar, "csrf");
    const body = new URLSearchParams({ json: "true", ...(token === undefined ? {} : { csrfToken: token }) });
    expect((await callAuth(jar, "signout", { method: "POST", body, headers: browser })).status).toBe(403);
    expect((await getMe(jar)).status).toBe(200);
  });

  it("keeps the session if the token's cookie is not ours, or the sign-out is only looked at", async () => {
    const jar = createJar();
    await post(jar, "callback/demo", { ...testAccounts.viewer });
    const headers = { ...browser, cookie: `${jar.header()}; gatehouse.csrf=x%7Cx` };
    const body = new URLSearchParams({ csrfToken: "x" });
    const request = new Request(`${testOrigin}/api/auth/signout`, { method: "POST", body, headers });
    expect((await handleAuth({ request, segments: ["signout"] })).status).toBe(403);
    await callAuth(jar, "signout");
    expect((await getMe(jar)).status).toBe(200);
  });

  it("refuses a wrong password and audits it", async () => {
    const jar = createJar();
    const response = await post(jar, "callback/demo", { username: "viewer", password: "wrong-password" });
    expect(response.headers.get("location")).toBe("/signin?error=CredentialsSignin");
    expect((await getMe(jar)).status).toBe(401);
    expect((await auditCodes()).at(-1)).toBe("session.signin_failed");
  });

  it("answers problems to callers that ask for JSON", async () => {
    const jar = createJar();
    const response = await post(jar, "callback/demo", { username: "viewer", password: "no", json: "true" });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: "unauthenticated" });
  });
});

describe("the surface of /api/auth", () => {
  it.each([
    { name: "another origin", path: "callback/demo", headers: { origin: "http://evil.example" }, status: 403 },
    { name: "no origin at all", path: "signout", headers: {}, status: 403 },
    { name: "the log", path: "_log", headers: browser, status: 404 },
    { name: "the session", path: "session", headers: browser, status: 404 },
    { name: "a method", path: "csrf", headers: browser, status: 405 },
    {
      name: "a redirect to a script",
      path: "callback/demo",
      headers: { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" },
      status: 400,
    },
  ])("refuses $name", async ({ path, headers, status }) => {
    const response = await post(createJar(), path, { ...testAccounts.viewer }, headers as Record<string, string>);
    expect(response.status).toBe(status);
  });

  it.each([
    ["https://evil.example/x", "/"],
    ["//evil.example", "/"],
    ["/\\evil.example", "/"],
    ["javascript:alert(1)", "/"],
    ["/api/v1/me", "/"],
    ["/%2F%2Fevil.example", "/"],
    ["/inbox//evil.example", "/"],
    ["/rollouts/a/b/Rollout/c?tab=x", "/rollouts/a/b/Rollout/c?tab=x"],
  ])("goes from %s to %s", async (callbackUrl, path) => {
    const response = await post(createJar(), "callback/demo", { ...testAccounts.viewer, callbackUrl });
    expect(response.headers.get("location")).toBe(`${testOrigin}${path}`);
  });

  it("slows down guessing", async () => {
    const jar = createJar();
    const guess = () => post(jar, "callback/demo", { username: "admin", password: "guess-guess", json: "true" });
    for (let attempt = 0; attempt < 10; attempt += 1) expect((await guess()).status).toBe(401);
    const limited = await guess();
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});
