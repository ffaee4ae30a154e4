import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiToken, CreatedToken, Me } from "#lib/contract/system.ts";
import { maxTokens } from "#lib/server/people/tokens/token-row.ts";
import { encodeSessionCookie } from "#test/session-cookie.ts";
import { signIn } from "#test/sign-in.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb, testOrigin } from "#test/web-runtime.ts";
import { GET as getMe } from "../me/route.ts";
import { DELETE as revokeToken } from "./[id]/route.ts";
import { POST as createToken, GET as listTokens } from "./route.ts";

let web: TestWeb;
beforeAll(async () => {
  web = await startTestWeb();
});
afterAll(() => web.close());

const ownPage = { "sec-fetch-site": "same-origin", "content-type": "application/json" };

async function create(cookie: string, body: unknown, headers: Record<string, string> = ownPage): Promise<Response> {
  return createToken(
    new Request(`${testOrigin}/api/v1/tokens`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { cookie, ...headers },
    }),
  );
}

async function me(headers: Record<string, string>): Promise<Response> {
  return getMe(new Request(`${testOrigin}/api/v1/me`, { headers }));
}

describe("tokens", () => {
  it("act as their owner until they are revoked, and stand in the audit log", async () => {
    const { cookie } = await signIn(web.runtime, "operator");
    const created = CreatedToken.parse(await (await create(cookie, { name: "ci", role: "viewer" })).json());
    const bearer = { authorization: `Bearer ${created.token}` };
    expect(Me.parse(await (await me(bearer)).json())).toMatchObject({
      name: "operator",
      role: "viewer",
      token: { id: created.id, name: "ci" },
      session: null,
      username: "operator",
      clusterIdentities: [
        {
          cluster: "demo",
          mode: "groups",
          username: "operator",
          groups: ["gatehouse:operators"],
          problem: null,
        },
      ],
    });
    expect(created.actsAs).toEqual({ username: "operator", groups: ["gatehouse:operators"] });

    const list = await listTokens(new Request(`${testOrigin}/api/v1/tokens`, { headers: { cookie } }));
    const { items } = (await list.json()) as { items: unknown[] };
    const names = items.map((item) => ApiToken.parse(item)).map((token) => token.name);
    expect(names.toSorted()).toEqual(["ci", "demo operator"]);
    expect(JSON.stringify(items)).not.toContain(created.token);

    const revoke = () =>
      revokeToken(
        new Request(`${testOrigin}/api/v1/tokens/${created.id}`, { method: "DELETE", headers: { cookie, ...ownPage } }),
        { params: Promise.resolve({ id: created.id }) },
      );
    expect(ApiToken.parse(await (await revoke()).json()).revokedAt).not.toBe(null);
    expect((await revoke()).status).toBe(200);
    expect((await me(bearer)).status).toBe(401);
    const { rows } = await web.runtime.pool.query(
      "SELECT code FROM audit_entry WHERE code LIKE 'token.%' ORDER BY seq",
    );
    expect(rows.map((row) => row.code)).toEqual(["token.create", "token.revoke"]);
  });

  it("are never stronger than their owner, nor made by a token", async () => {
    const { cookie } = await signIn(web.runtime, "viewer");
    expect((await create(cookie, { name: "x", role: "operator" })).status).toBe(403);
    const body = JSON.stringify({ name: "x", role: "viewer" });
    expect((await createToken(web.request("/api/v1/tokens", { as: "viewer", method: "POST", body }))).status).toBe(403);
  });

  it("of others are not there to be revoked", async () => {
    const operator = await signIn(web.runtime, "operator");
    const created = CreatedToken.parse(await (await create(operator.cookie, { name: "mine", role: "viewer" })).json());
    const revoke = (as: "viewer" | "admin") =>
      revokeToken(web.request(`/api/v1/tokens/${created.id}`, { as, method: "DELETE" }), {
        params: Promise.resolve({ id: created.id }),
      });
    expect((await revoke("viewer")).status).toBe(404);
    expect((await revoke("admin")).status).toBe(200);
  });

  it("end when their time is over", async () => {
    const { cookie } = await signIn(web.runtime, "operator");
    const created = CreatedToken.parse(
      await (await create(cookie, { name: "short", role: "viewer", expiresInDays: 1 })).json(),
    );
    const pool = createTestPool(web.database.ownerUrl);
    await pool.query("UPDATE api_token SET expires_at = now() - interval '1 second' WHERE id = $1", [created.id]);
    await pool.end();
    expect((await me({ authorization: `Bearer ${created.token}` })).status).toBe(401);
  });

  it("that are wrong are refused for the rest of a minute, by address", async () => {
    const first = Date.now();
    web.runtime.now = () => new Date(first);
    const wrong = { authorization: `Bearer ght_${"x".repeat(43)}`, "x-forwarded-for": "192.0.2.1" };
    for (let attempt = 0; attempt < 30; attempt += 1) expect((await me(wrong)).status).toBe(401);
    expect((await me(wrong)).status).toBe(429);
    expect((await me({ ...wrong, "x-forwarded-for": "192.0.2.2" })).status).toBe(401);
    web.runtime.now = () => new Date(first + 59_999);
    expect((await me(wrong)).status).toBe(429);
    web.runtime.now = () => new Date(first + 60_000);
    expect((await me(wrong)).status).toBe(401);
    web.runtime.now = () => new Date();
  });

  it("that are right are taken from an address that sent wrong ones", async () => {
    const from = { "x-forwarded-for": "192.0.2.3" };
    const wrong = { authorization: `Bearer ght_${"y".repeat(43)}`, ...from };
    for (let attempt = 0; attempt < 31; attempt += 1) await me(wrong);
    expect((await me(wrong)).status).toBe(429);
    expect((await me({ authorization: `Bearer ${web.tokens.operator}`, ...from })).status).toBe(200);
  });

  it("have names that can be stored", async () => {
    const { cookie } = await signIn(web.runtime, "viewer");
    expect((await create(cookie, { name: "a\u0000b", role: "viewer" })).status).toBe(400);
  });

  it("win over a cookie that is sent along", async () => {
    const { cookie } = await signIn(web.runtime, "admin");
    const response = await me({ cookie, authorization: `Bearer ${web.tokens.viewer}` });
    expect(Me.parse(await response.json()).role).toBe("viewer");
    expect((await me({ cookie, authorization: "Bearer nonsense" })).status).toBe(401);
  });
});

describe("changes by cookie", () => {
  it.each([
    { name: "our own page", headers: { "sec-fetch-site": "same-origin" }, status: 201 },
    { name: "our own origin, without Fetch Metadata", headers: { origin: testOrigin }, status: 201 },
    { name: "a sibling domain", headers: { "sec-fetch-site": "same-site", origin: testOrigin }, status: 403 },
    { name: "another site", headers: { origin: "http://evil.example" }, status: 403 },
    { name: "a link", headers: { "sec-fetch-site": "none" }, status: 403 },
    { name: "no browser that we know", headers: {}, status: 403 },
  ])("from $name: $status", async ({ headers, status }) => {
    const { cookie } = await signIn(web.runtime, "operator");
    const sent = { "content-type": "application/json", ...(headers as Record<string, string>) };
    const response = await create(cookie, { name: "x", role: "viewer" }, sent);
    expect(response.status).toBe(status);
  });

  it("are JSON", async () => {
    const { cookie } = await signIn(web.runtime, "operator");
    const response = await create(cookie, { name: "x", role: "viewer" }, { ...ownPage, "content-type": "text/plain" });
    expect(response.status).toBe(415);
  });
});

describe("a session", () => {
  it.each([
    { name: "idle for too long", sql: "idle_expires_at = now() - interval '1 second'" },
    { name: "too old", sql: "absolute_expires_at = now() - interval '1 second'" },
    { name: "revoked", sql: "revoked_at = now()" },
  ])("that is $name is over", async ({ sql }) => {
    const { sessionId, cookie } = await signIn(web.runtime, "operator");
    expect((await me({ cookie })).status).toBe(200);
    await web.runtime.pool.query(`UPDATE user_session SET ${sql} WHERE id = $1`, [sessionId]);
    expect((await me({ cookie })).status).toBe(401);
  });

  it("lives on while it is used, at most to its end, written once a minute", async () => {
    const { sessionId, cookie } = await signIn(web.runtime, "operator");
    const seen = async () => {
      const { rows } = await web.runtime.pool.query(
        "SELECT last_seen_at, idle_expires_at FROM user_session WHERE id = $1",
        [sessionId],
      );
      return rows[0] as { last_seen_at: Date; idle_expires_at: Date };
    };
    const fresh = await seen();
    await me({ cookie });
    expect((await seen()).last_seen_at).toEqual(fresh.last_seen_at);
    await web.runtime.pool.query(
      `UPDATE user_session SET last_seen_at = now() - interval '2 minutes', idle_expires_at = now() + interval '1 minute',
         absolute_expires_at = now() + interval '10 minutes' WHERE id = $1`,
      [sessionId],
    );
    const session = Me.parse(await (await me({ cookie, "x-gatehouse-active": "1" })).json()).session;
    expect(session?.idleExpiresAt).toBe(session?.absoluteExpiresAt);
  });

  it("of another secret is none", async () => {
    const { sessionId } = await signIn(web.runtime, "admin");
    const forged = await encodeSessionCookie({ sessionId, secret: "another secret of 32 characters." });
    expect((await me({ cookie: forged })).status).toBe(401);
  });

  it("are listed page by page, and are no more than 50", async () => {
    const { cookie } = await signIn(web.runtime, "viewer", {});
    const page = async (query: string) => {
      const response = await listTokens(new Request(`${testOrigin}/api/v1/tokens?${query}`, { headers: { cookie } }));
      expect(response.status).toBe(200);
      return (await response.json()) as {
        items: { id: string; revokedAt: string | null }[];
        nextCursor: string | null;
      };
    };
    const before = (await page("limit=200")).items.filter(({ revokedAt }) => revokedAt === null).length;
    for (let count = before; count < maxTokens - 3; count += 1) await create(cookie, { name: "early", role: "viewer" });
    const answers = await Promise.all(
      ["a", "b", "c", "d", "e"].map((name) => create(cookie, { name, role: "viewer" })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(await refused?.json()).toMatchObject({ detail: expect.stringContaining("and the limit is 50") });
    const all = (await page("limit=200")).items.map(({ id }) => id);
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const next = await page(`limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
      expect(next.items.length).toBeLessThanOrEqual(2);
      seen.push(...next.items.map(({ id }) => id));
      cursor = next.nextCursor;
    }
    expect(seen).toEqual(all);
    expect(all.length).toBeGreaterThanOrEqual(3);
  });
});
