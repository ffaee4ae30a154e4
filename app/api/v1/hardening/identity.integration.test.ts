import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Me } from "#lib/contract/system.ts";
import { handleAuth } from "#lib/server/edge/http/handle-auth.ts";
import { type Craft, startCraftedIssuer } from "#test/hardening/crafted-issuer.ts";
import { openSession, issuer as otherIssuer } from "#test/hardening/people.ts";
import { startTestWeb, type TestWeb, testOrigin } from "#test/web-runtime.ts";
import { GET as getMe } from "../me/route.ts";

const clientId = "gatehouse";
const secret = "client-secret";
let provider: Awaited<ReturnType<typeof startCraftedIssuer>>;
let web: TestWeb;
beforeAll(async () => {
  provider = await startCraftedIssuer({ clientId, secret });
  web = await startTestWeb({
    oidcClientSecret: secret,
    config: {
      demo: undefined,
      auth: {
        oidc: { issuer: provider.issuer, clientId, clientSecret: "env:UNUSED" },
        roles: [
          { role: "operator", users: ["releaser"] },
          { role: "admin", users: ["boss@example.test"] },
        ],
      },
    },
  });
});
afterAll(async () => {
  await web.close();
  await provider.close();
});

/** Signs in with a browser and a crafted id token from the provider; returns the cookies and the final location. */
async function signInWith(craft: Craft): Promise<{ cookie: string; location: string }> {
  const jar = new Map<string, string>();
  const send = async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set("cookie", [...jar].map(([name, value]) => `${name}=${value}`).join("; "));
    const segments = path.split("?")[0]?.split("/") ?? [];
    const response = await handleAuth({
      request: new Request(`${testOrigin}/api/auth/${path}`, { ...init, headers }),
      segments,
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split(/=(.*)/s);
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
  const { csrfToken } = (await (await send("csrf")).json()) as { csrfToken: string };
  const own = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate" };
  const begun = await send("signin/oidc", { method: "POST", body: new URLSearchParams({ csrfToken }), headers: own });
  const authorization = new URL(begun.headers.get("location") ?? "");
  provider.nonce = authorization.searchParams.get("nonce") ?? "";
  provider.next = craft;
  const query = new URLSearchParams({ code: "code", state: authorization.searchParams.get("state") ?? "" });
  const done = await send(`callback/oidc?${query}`);
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  return { cookie, location: done.headers.get("location") ?? "" };
}

const statusOf = async (cookie: string) =>
  (await getMe(new Request(`${testOrigin}/api/v1/me`, { headers: { cookie } }))).status;

/** Argo CD GHSA-r642-gv9p-2wjj and similar: tokens that nobody vouches for were accepted. */
describe("an id token", () => {
  it("that is sound signs in: what follows fails for what it says and nothing else", async () => {
    const { cookie, location } = await signInWith({});
    expect(location).not.toContain("error");
    expect(await statusOf(cookie)).toBe(200);
  });

  it.each<[string, Craft]>([
    ["is not signed", { algorithm: "none" }],
    ["is signed with the client's secret instead of the provider's key", { algorithm: "HS256" }],
    ["is signed with another key", { algorithm: "strange key" }],
    ["is from another issuer", { claims: (sound) => ({ ...sound, iss: otherIssuer }) }],
    ["is from an issuer that looks alike", { claims: (sound) => ({ ...sound, iss: `${String(sound.iss)}/` }) }],
    ["is for another audience", { claims: (sound) => ({ ...sound, aud: "another-client" }) }],
    ["is for us among others, given to another", { claims: (sound) => ({ ...sound, aud: [clientId, "x"], azp: "x" }) }],
    ["is over", { claims: (sound) => ({ ...sound, exp: Number(sound.iat) - 3600 }) }],
    ["was made for another sign-in", { claims: (sound) => ({ ...sound, nonce: "another" }) }],
    ["has no nonce", { claims: ({ nonce: _, ...sound }) => sound }],
    ["names nobody", { claims: (sound) => ({ ...sound, sub: "" }) }],
  ])("that %s signs nobody in", async (_, craft) => {
    const count = async () => (await web.runtime.pool.query("SELECT FROM user_session")).rowCount;
    const before = await count();
    const { cookie, location } = await signInWith(craft);
    expect(location).toContain("error=");
    expect(await statusOf(cookie)).toBe(401);
    expect(await count()).toBe(before);
    const { rows } = await web.runtime.pool.query("SELECT code FROM audit_entry ORDER BY seq DESC LIMIT 1");
    expect(rows[0]?.code).toBe("session.signin_failed");
  });
});

describe("a session cookie", () => {
  it("that we did not make is nobody's", async () => {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const { rows } = await web.runtime.pool.query<{ id: string }>("SELECT id FROM user_session LIMIT 1");
    const claims = encode({ sid: rows[0]?.id, exp: Math.floor(Date.now() / 1000) + 300 });
    const none = `${encode({ alg: "none" })}.${claims}.`;
    const signed = `${encode({ alg: "HS256" })}.${claims}`;
    const hmac = `${signed}.${createHmac("sha256", web.runtime.secret).update(signed).digest("base64url")}`;
    for (const token of [none, hmac, rows[0]?.id, ""]) expect(await statusOf(`gatehouse.session=${token}`)).toBe(401);
  });
});

/** Grafana CVE-2023-3128: an account was looked up by the e-mail address that the provider sent. */
describe("an e-mail address", () => {
  it("makes two people no one person, and gives no role", async () => {
    const email = "boss@example.test";
    const one = (sub: string): Craft => ({ claims: (sound) => ({ ...sound, sub, email, email_verified: true }) });
    const [first, second] = [await signInWith(one("first")), await signInWith(one("second"))];
    const subjects = await Promise.all(
      [first, second].map(async ({ cookie }) => {
        const answer = await getMe(new Request(`${testOrigin}/api/v1/me`, { headers: { cookie } }));
        const me = Me.parse(await answer.json());
        expect(me.role).toBe("operator");
        return me.subject;
      }),
    );
    expect(subjects).toEqual(["first", "second"]);
    const { rowCount } = await web.runtime.pool.query("SELECT FROM user_account WHERE email = $1", [email]);
    expect(rowCount).toBe(2);
  });

  it("and a name counts for its issuer alone", async () => {
    const { cookie } = await openSession(web, "releaser", { email: "boss@example.test" });
    expect(await statusOf(cookie)).toBe(401);
  });
});
