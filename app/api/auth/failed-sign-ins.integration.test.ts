import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { handleAuth } from "#lib/server/edge/http/handle-auth.ts";
import { setRequestLimits, usualLimits } from "#lib/server/edge/http/request-limits.ts";
import { recordFailedSignIn } from "#lib/server/people/auth/record-failed-sign-in.ts";
import { startTestWeb, type TestWeb, testOrigin } from "#test/web-runtime.ts";

let web: TestWeb;
beforeEach(async () => {
  web = await startTestWeb();
});
afterEach(() => web.close());

const call = (path: string, address: string) =>
  handleAuth({
    request: new Request(`${testOrigin}/api/auth/${path}`, { headers: { "x-forwarded-for": address } }),
    segments: path.split("/"),
  });

async function entries(): Promise<{ name: string; detail: Record<string, unknown> }[]> {
  const { rows } = await web.runtime.pool.query<{ entry: string }>(
    "SELECT entry FROM audit_entry WHERE code = 'session.signin_failed' ORDER BY seq",
  );
  return rows.map(({ entry }) => {
    const { actor, detail } = JSON.parse(entry);
    return { name: actor.name, detail };
  });
}

describe("failed sign-ins", () => {
  it("of people are written although others flood, with the number of those left out", async () => {
    for (let index = 0; index < 200; index += 1) await call("callback/oidc", `198.51.100.${index % 100}`);
    const flood = await entries();
    expect(flood.length).toBe(50);
    expect(new Set(flood.map(({ name }) => name))).toEqual(new Set(["unknown"]));
    const refusal = { runtime: web.runtime, name: "oncall", reason: "no role binding matches", requestId: "r" };
    for (let index = 0; index < 12; index += 1) await recordFailedSignIn({ ...refusal, address: `203.0.113.${index}` });
    expect((await entries()).slice(50)).toEqual(
      Array.from({ length: 10 }, () => ({ name: "oncall", detail: { reason: refusal.reason } })),
    );
    await recordFailedSignIn({ ...refusal, name: "releaser", address: "203.0.113.1" });
    expect((await entries()).at(-1)).toEqual({
      name: "releaser",
      detail: { reason: refusal.reason, failuresNotWritten: 2 },
    });
  });

  it("of somebody who takes another's display name use up nothing of theirs", async () => {
    const refusal = { runtime: web.runtime, name: "oncall", issuer: "https://issuer.example", requestId: "r" };
    const fail = (subject: string, index: number) =>
      recordFailedSignIn({ ...refusal, subject, reason: subject, address: `203.0.113.${index}` });
    for (let index = 0; index < 12; index += 1) await fail("impostor", index);
    await fail("s-1", 20);
    const reasons = (await entries()).map(({ detail }) => detail.reason);
    expect(reasons).toEqual([...Array.from({ length: 10 }, () => "impostor"), "s-1"]);
  });
});

describe("/api/auth", () => {
  it("takes so many requests of one address, and goes on for others", async () => {
    setRequestLimits(web.runtime, { ...usualLimits, addressRequestsPerMinute: 3 });
    const statuses: number[] = [];
    for (const path of ["csrf", "providers", "nothing", "csrf", "callback/oidc"])
      statuses.push((await call(path, "198.51.100.1")).status);
    expect(statuses).toEqual([200, 200, 404, 429, 429]);
    expect((await call("csrf", "198.51.100.2")).status).toBe(200);
  });
});
