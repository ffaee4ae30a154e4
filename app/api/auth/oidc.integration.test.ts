import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Me } from "#lib/contract/system.ts";
import { startOidcProvider } from "#test/oidc-provider.ts";
import { Browser, begin, logIn, navigation } from "#test/sign-in-browser.ts";
import { startTestWeb, type TestWeb, testOrigin } from "#test/web-runtime.ts";
import { GET as getMe } from "../v1/me/route.ts";

let provider: Awaited<ReturnType<typeof startOidcProvider>>;
let web: TestWeb;
beforeAll(async () => {
  provider = await startOidcProvider({
    clientId: "gatehouse",
    secret: "client-secret",
    redirectUris: [`${testOrigin}/api/auth/callback/oidc`],
    users: {
      releaser: { name: "Releaser", email: "releaser@example.test", groups: ["payments-operators", "staff"] },
      guest: { name: "Guest", groups: ["staff"] },
      nameless: { name: "Nameless", preferred_username: "", groups: ["payments-operators"] },
    },
  });
  web = await startWeb(provider.issuer);
});
afterAll(async () => {
  await web.close();
  await provider.close();
});

async function startWeb(issuer: string): Promise<TestWeb> {
  return startTestWeb({
    oidcClientSecret: "client-secret",
    config: {
      demo: undefined,
      auth: {
        oidc: { issuer, clientId: "gatehouse", clientSecret: "env:UNUSED" },
        roles: [{ role: "operator", groups: ["payments-operators"] }],
      },
      clusters: [{ name: "demo", server: "http://127.0.0.1:1", access: "read" }],
    },
  });
}

/** Lists sessions, newest first. */
async function sessionsOf(subject: string): Promise<unknown[]> {
  const { rows } = await web.runtime.pool.query(
    `SELECT s.authenticated_at, s.authenticated_at > now() - interval '1 minute' AS is_fresh,
       s.revoked_at IS NOT NULL AS is_over
     FROM user_session s JOIN user_account u ON u.id = s.user_id
     WHERE u.subject = $1 ORDER BY s.created_at DESC`,
    [subject],
  );
  return rows;
}

async function lastAudit(): Promise<{ code: string; entry: string }> {
  const { rows } = await web.runtime.pool.query("SELECT code, entry FROM audit_entry ORDER BY seq DESC LIMIT 1");
  return rows[0];
}

describe("OpenID Connect", () => {
  it("asks with PKCE, state and nonce, and lets nobody add parameters", async () => {
    const url = await begin(new Browser());
    expect(url.origin).toBe(provider.issuer);
    const query = Object.fromEntries(url.searchParams);
    expect(query).toMatchObject({
      code_challenge_method: "S256",
      scope: "openid profile email",
      response_type: "code",
    });
    expect(Object.keys(query).toSorted()).toEqual([
      "client_id",
      "code_challenge",
      "code_challenge_method",
      "nonce",
      "redirect_uri",
      "response_type",
      "scope",
      "state",
    ]);
  });

  it("signs in whom a role binding names, by issuer and subject", async () => {
    const browser = new Browser();
    const back = await logIn(browser, await begin(browser), "releaser");
    const response = await browser.fetch(back);
    expect(response.headers.get("location")).toBe(`${testOrigin}/rollouts`);
    const me = await getMe(
      new Request(`${testOrigin}/api/v1/me`, { headers: { cookie: browser.cookieHeader(testOrigin) } }),
    );
    expect(Me.parse(await me.json())).toMatchObject({
      name: "Releaser",
      subject: "releaser",
      issuer: provider.issuer,
      role: "operator",
      groups: ["payments-operators", "staff"],
      demo: false,
    });
    expect((await lastAudit()).code).toBe("session.signin");
  });

  it("where a fresh sign-in is asked for, the provider asks for the password again and says when it was given", async () => {
    const browser = new Browser();
    await browser.fetch(await logIn(browser, await begin(browser), "releaser"));
    const [first] = await sessionsOf("releaser");
    expect(first).toMatchObject({ authenticated_at: null, is_over: false });
    const known = await browser.fetch((await begin(browser)).href);
    expect(known.headers.get("location")).toContain(testOrigin);

    const url = await begin(browser, { reauthenticate: "true" });
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ prompt: "login", max_age: "0" });
    const asking = await browser.fetch(url.href);
    expect(asking.headers.get("location")).not.toContain(testOrigin);
    await browser.fetch(await logIn(browser, url, "releaser"));
    const [second, before] = await sessionsOf("releaser");
    expect([second, before]).toMatchObject([
      { authenticated_at: expect.any(Date), is_fresh: true, is_over: false },
      { authenticated_at: null, is_over: true },
    ]);
  });

  it.each([
    { login: "guest", code: "AccessDenied", why: "no role binding matches" },
    { login: "nameless", code: "UnusableIdentity", why: "claim preferred_username is missing or empty" },
  ])("refuses $login: $why", async ({ login, code, why }) => {
    const browser = new Browser();
    const response = await browser.fetch(await logIn(browser, await begin(browser), login));
    expect(response.headers.get("location")).toBe(`/signin?error=${code}`);
    expect(browser.cookieHeader(testOrigin)).not.toContain("gatehouse.session");
    const audit = await lastAudit();
    expect(audit.code).toBe("session.signin_failed");
    expect(audit.entry).toContain(why);
  });

  it.each([
    {
      name: "another browser's answer",
      forge: async (back: string) => ({ browser: new Browser(), url: back }),
    },
    {
      name: "another state",
      forge: async (back: string, browser: Browser) => ({ browser, url: back.replace(/state=[^&]+/, "state=forged") }),
    },
    {
      name: "a forged code",
      forge: async (back: string, browser: Browser) => ({ browser, url: back.replace(/code=[^&]+/, "code=forged") }),
    },
  ])("refuses $name and audits it", async ({ forge }) => {
    const own = new Browser();
    const { browser, url } = await forge(await logIn(own, await begin(own), "releaser"), own);
    const response = await browser.fetch(url);
    expect(response.status).toBe(302);
    expect(browser.cookieHeader(testOrigin)).not.toContain("gatehouse.session");
    expect((await lastAudit()).code).toBe("session.signin_failed");
  });

  it("ends the rights of a session when its binding is taken away", async () => {
    const browser = new Browser();
    await browser.fetch(await logIn(browser, await begin(browser), "releaser"));
    const request = () =>
      getMe(new Request(`${testOrigin}/api/v1/me`, { headers: { cookie: browser.cookieHeader(testOrigin) } }));
    expect((await request()).status).toBe(200);
    const { roles } = web.runtime.config().config.auth;
    const taken = roles.splice(0);
    expect((await request()).status).toBe(401);
    roles.push(...taken);
  });

  it("says so when the provider does not answer", async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    await new Promise((resolve) => silent.close(resolve));
    const other = await startWeb(`http://127.0.0.1:${port}`);
    const browser = new Browser();
    const csrf = (await (await browser.fetch(`${testOrigin}/api/auth/csrf`)).json()) as { csrfToken: string };
    const response = await browser.fetch(`${testOrigin}/api/auth/signin/oidc`, {
      method: "POST",
      body: new URLSearchParams(csrf),
      headers: navigation,
    });
    expect(response.headers.get("location")).toContain("error=OAuthSignin");
    await other.close();
  });
});
