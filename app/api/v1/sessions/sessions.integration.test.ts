import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Me, Session } from "#lib/contract/system.ts";
import { type SignedIn, signIn } from "#test/sign-in.ts";
import { startTestWeb, type TestWeb, testOrigin } from "#test/web-runtime.ts";
import { GET as getMe } from "../me/route.ts";
import { DELETE as revokeSession } from "./[id]/route.ts";
import { GET as listSessions } from "./route.ts";

let web: TestWeb;
beforeAll(async () => {
  web = await startTestWeb();
});
afterAll(() => web.close());
beforeEach(async () => {
  await web.runtime.pool.query("UPDATE user_session SET revoked_at = now() WHERE revoked_at IS NULL");
});

const me = (cookie: string, headers: Record<string, string> = {}) =>
  getMe(new Request(`${testOrigin}/api/v1/me`, { headers: { cookie, ...headers } }));

async function list(cookie: string): Promise<Session[]> {
  const response = await listSessions(new Request(`${testOrigin}/api/v1/sessions`, { headers: { cookie } }));
  const { items } = (await response.json()) as { items: unknown[] };
  return items.map((item) => Session.parse(item));
}

const revoke = (by: SignedIn, id: string) =>
  revokeSession(
    new Request(`${testOrigin}/api/v1/sessions/${id}`, {
      method: "DELETE",
      headers: { cookie: by.cookie, "sec-fetch-site": "same-origin", "content-type": "application/json" },
    }),
    { params: Promise.resolve({ id }) },
  );

describe("sessions", () => {
  it("are listed with where they come from: one's own, or all for an admin", async () => {
    const here = await signIn(web.runtime, "viewer", { userAgent: "a browser", address: "192.0.2.1" });
    const elsewhere = await signIn(web.runtime, "viewer", { authenticatedAt: undefined });
    const admin = await signIn(web.runtime, "admin");
    const own = await list(here.cookie);
    expect(own.map(({ id }) => id).toSorted()).toEqual([here.sessionId, elsewhere.sessionId].toSorted());
    expect(own.find(({ id }) => id === here.sessionId)).toMatchObject({
      current: true,
      userAgent: "a browser",
      address: "192.0.2.1",
      authenticatedAt: expect.any(String),
    });
    expect(own.find(({ id }) => id === elsewhere.sessionId)).toMatchObject({ current: false, authenticatedAt: null });
    expect(await list(admin.cookie)).toHaveLength(3);
  });

  it("end at once when they are revoked, and the log says who did it", async () => {
    const here = await signIn(web.runtime, "operator");
    const lost = await signIn(web.runtime, "operator");
    expect((await me(lost.cookie)).status).toBe(200);
    expect((await revoke(here, lost.sessionId)).status).toBe(200);
    expect((await me(lost.cookie)).status).toBe(401);
    expect((await me(here.cookie)).status).toBe(200);
    expect((await revoke(here, lost.sessionId)).status).toBe(404);
    const { rows } = await web.runtime.pool.query(
      "SELECT entry::jsonb -> 'detail' ->> 'id' AS id, actor_name FROM audit_entry WHERE code = 'session.revoke'",
    );
    expect(rows).toEqual([{ id: lost.sessionId, actor_name: "operator" }]);
  });

  it("of others are not there to be revoked, except for an admin", async () => {
    const viewer = await signIn(web.runtime, "viewer");
    const operator = await signIn(web.runtime, "operator");
    const admin = await signIn(web.runtime, "admin");
    expect((await revoke(viewer, operator.sessionId)).status).toBe(404);
    expect((await me(operator.cookie)).status).toBe(200);
    expect((await revoke(admin, operator.sessionId)).status).toBe(200);
    expect((await me(operator.cookie)).status).toBe(401);
    expect((await revoke(admin, "no-uuid")).status).toBe(404);
  });

  it("end when another sign-in of the same browser takes their place", async () => {
    const first = await signIn(web.runtime, "viewer");
    const second = await signIn(web.runtime, "viewer", { replaces: first.sessionId });
    expect([(await me(first.cookie)).status, (await me(second.cookie)).status]).toEqual([401, 200]);
  });

  it("are kept by what a person does, not by what an open page asks", async () => {
    const { cookie, sessionId } = await signIn(web.runtime, "viewer");
    const age = () =>
      web.runtime.pool.query(
        `UPDATE user_session SET last_seen_at = now() - interval '10 minutes', idle_expires_at = now() + interval '1 minute'
         WHERE id = $1`,
        [sessionId],
      );
    const idleMinutes = async (headers: Record<string, string>) => {
      await age();
      const { session } = Me.parse(await (await me(cookie, headers)).json());
      return Math.round((Date.parse(session?.idleExpiresAt ?? "") - Date.now()) / 60_000);
    };
    expect(await idleMinutes({})).toBe(1);
    expect(await idleMinutes({ "x-gatehouse-active": "1" })).toBe(web.runtime.config().config.auth.session.idleMinutes);
  });

  it("that are idle for too long or too old are refused", async () => {
    const { cookie, sessionId } = await signIn(web.runtime, "viewer");
    const set = (column: string) =>
      web.runtime.pool.query(`UPDATE user_session SET ${column} = now() - interval '1 second' WHERE id = $1`, [
        sessionId,
      ]);
    await set("idle_expires_at");
    expect((await me(cookie, { "x-gatehouse-active": "1" })).status).toBe(401);
    await web.runtime.pool.query("UPDATE user_session SET idle_expires_at = now() + interval '1 hour' WHERE id = $1", [
      sessionId,
    ]);
    expect((await me(cookie)).status).toBe(200);
    await set("absolute_expires_at");
    expect((await me(cookie)).status).toBe(401);
  });

  it("are listed page by page", async () => {
    const opened = [];
    for (let count = 0; count < 5; count += 1) opened.push(await signIn(web.runtime, "viewer"));
    const [{ cookie } = { cookie: "" }] = opened;
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const query = `limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`;
      const response = await listSessions(
        new Request(`${testOrigin}/api/v1/sessions?${query}`, { headers: { cookie } }),
      );
      const page = (await response.json()) as { items: { id: string }[]; nextCursor: string | null };
      expect(page.items.length).toBeLessThanOrEqual(2);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(seen.toSorted()).toEqual(opened.map(({ sessionId }) => sessionId).toSorted());
  });
});
