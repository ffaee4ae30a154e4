import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { handleAuth } from "#lib/server/edge/http/handle-auth.ts";
import { startSession } from "#lib/server/people/auth/start-session.ts";
import { waitFor } from "#test/recorder-world.ts";
import { encodeSessionCookie } from "#test/session-cookie.ts";
import { testOrigin } from "#test/web-runtime.ts";
import { createFailClosedWorld, type FailClosedWorld } from "./world.ts";

const name = "checkout";
let world: FailClosedWorld;
let sessionId: string;
let headers: Record<string, string>;
beforeAll(async () => {
  world = await createFailClosedWorld({
    config: {
      auth: {
        // Nothing listens there.
        oidc: { issuer: "http://127.0.0.1:1", clientId: "gatehouse", clientSecret: "env:UNUSED" },
        roles: [{ role: "operator", groups: ["gatehouse:operators"] }],
      },
    },
  });
  const { runtime } = world.web;
  const identity = {
    issuer: "http://127.0.0.1:1",
    subject: "releaser",
    username: "releaser",
    groups: ["gatehouse:operators"],
  };
  const claims = { preferred_username: "releaser", groups: ["gatehouse:operators"] };
  sessionId = await startSession({
    runtime,
    signIn: { identity, name: "releaser", claims, method: "oidc", authenticatedAt: new Date() },
    requestId: "test",
  });
  headers = { cookie: await encodeSessionCookie({ sessionId, secret: runtime.secret }), origin: testOrigin };
  world.addRollout(name);
  await world.start();
});
afterAll(() => world.close());

const path = () => `/api/v1/rollouts/${world.cluster}/shop/Rollout/${name}`;

async function act(action: string) {
  const { viewDigest, uid, revisionKey } = (await world.call("GET", path(), { headers })).body;
  const body = { action, reason: "because", expect: { viewDigest, uid, revisionKey } };
  return world.call("POST", `${path()}/actions`, { headers, body });
}

describe("FC-25 the identity provider is down", () => {
  it("lets nobody in anew, and says so", async () => {
    const start = new Request(`${testOrigin}/api/auth/csrf`);
    const csrf = await handleAuth({ request: start, segments: ["csrf"] });
    const { csrfToken } = (await csrf.json()) as { csrfToken: string };
    const cookie = csrf.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    const request = new Request(`${testOrigin}/api/auth/signin/oidc`, {
      method: "POST",
      headers: { cookie, origin: testOrigin, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ csrfToken, callbackUrl: testOrigin }),
    });
    const answer = await handleAuth({ request, segments: ["signin", "oidc"] });
    expect(answer.headers.get("location") ?? "").not.toContain("127.0.0.1:1/");
    expect(answer.headers.getSetCookie().filter((line) => line.startsWith("gatehouse.session=ey"))).toEqual([]);
  });

  it("our own session goes on: viewing and acting, and the probes are well", async () => {
    expect(await world.call("GET", "/api/v1/rollouts", { headers })).toMatchObject({ status: 200 });
    expect(await act("continue")).toMatchObject({ status: 202 });
    const version = world.sandbox.store.get("rollouts", "shop", name)?.metadata.resourceVersion;
    await waitFor("what was done is recorded", async () => {
      const [row] = await world.query<{ version: string }>(
        "SELECT resource_version AS version FROM rollout WHERE name = $1",
        [name],
      );
      return row?.version === version;
    });
    const { web, recorder } = await world.probes();
    expect([web.livez, web.readyz, recorder.livez, recorder.readyz]).toEqual([200, 200, 200, 200]);
  });

  it.each([
    { state: "expired", change: "absolute_expires_at = now() - interval '1 second'" },
    { state: "idle for too long", change: "idle_expires_at = now() - interval '1 second'" },
    { state: "revoked", change: "revoked_at = now()" },
  ])("a session that is $state is 401, for viewing and for acting", async ({ change }) => {
    const { viewDigest, uid, revisionKey } = (await world.call("GET", path(), { headers })).body;
    const version = world.sandbox.store.get("rollouts", "shop", name)?.metadata.resourceVersion;
    const before = await world.rows();
    await world.query(`UPDATE user_session SET ${change} WHERE id = $1`, [sessionId]);
    const body = { action: "abort", expect: { viewDigest, uid, revisionKey } };
    const answers = await Promise.all([
      world.call("GET", "/api/v1/rollouts", { headers }),
      world.call("POST", `${path()}/actions`, { headers, body }),
    ]);
    expect(answers).toEqual([
      expect.objectContaining({ status: 401 }),
      expect.objectContaining({ status: 401, body: expect.objectContaining({ code: "unauthenticated" }) }),
    ]);
    expect(world.sandbox.store.get("rollouts", "shop", name)?.metadata.resourceVersion).toBe(version);
    expect(await world.rows()).toEqual(before);
    await world.query(
      `UPDATE user_session SET revoked_at = NULL, idle_expires_at = now() + interval '1 hour',
         absolute_expires_at = now() + interval '1 hour' WHERE id = $1`,
      [sessionId],
    );
    expect(await world.call("GET", "/api/v1/rollouts", { headers })).toMatchObject({ status: 200 });
  });

  it("a token that has expired is 401", async () => {
    await world.query("UPDATE api_token SET expires_at = now() - interval '1 second'");
    expect(await world.call("GET", "/api/v1/rollouts", { as: "operator" })).toMatchObject({
      status: 401,
      body: { code: "unauthenticated" },
    });
  });
});
