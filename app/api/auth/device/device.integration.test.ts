import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setRequestLimits, usualLimits } from "#lib/server/edge/http/request-limits.ts";
import { maxTokens } from "#lib/server/people/tokens/token-row.ts";
import { configOf, createToken, openSession, ownPage } from "#test/hardening/people.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb, testOrigin } from "#test/web-runtime.ts";
import { POST as decideDevice } from "../../v1/device-requests/[userCode]/decision/route.ts";
import { GET as findDevice } from "../../v1/device-requests/[userCode]/route.ts";
import { GET as getMe } from "../../v1/me/route.ts";
import { POST as askCode } from "./code/route.ts";
import { POST as askToken } from "./token/route.ts";

const grantType = "urn:ietf:params:oauth:grant-type:device_code";
const client = { client_id: "gatehouse-cli" };

let web: TestWeb;
let cookies: Record<"operator" | "viewer", string>;
/** How far Gatehouse's clock is set ahead, so that no test has to wait. */
let aheadMs = 0;
/** A different one for each test: requests are limited by address. */
let address = "";
let tests = 0;

beforeAll(async () => {
  web = await startTestWeb({ config: configOf() });
  web.runtime.now = () => new Date(Date.now() + aheadMs);
  cookies = {
    operator: (await openSession(web, "operator")).cookie,
    viewer: (await openSession(web, "viewer")).cookie,
  };
});
afterAll(() => web.close());
beforeEach(() => {
  tests += 1;
  address = `192.0.2.${tests}`;
  setRequestLimits(web.runtime, usualLimits);
});
afterEach(() => {
  aheadMs = 0;
});

function post(handler: (request: Request) => Promise<Response>, fields: Record<string, string>): Promise<Response> {
  const headers = { "x-forwarded-for": address, "x-gatehouse-peer": "10.0.0.7", "user-agent": "gatehouse/0.1.0" };
  return handler(new Request(`${testOrigin}/any`, { method: "POST", headers, body: new URLSearchParams(fields) }));
}

type Asked = { device_code: string; user_code: string; interval: number };

async function ask(name = "deploy@build-7"): Promise<Asked> {
  const response = await post(askCode, { ...client, device_name: name });
  expect(response.status).toBe(200);
  return (await response.json()) as Asked;
}

/** Polls after the time that the terminal has to wait. */
async function poll(device: Asked, waitSeconds = 6): Promise<{ status: number; body: Record<string, unknown> }> {
  aheadMs += waitSeconds * 1000;
  const response = await post(askToken, { ...client, grant_type: grantType, device_code: device.device_code });
  expect(response.headers.get("cache-control")).toBe("no-store");
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const contextOf = (userCode: string) => ({ params: Promise.resolve({ userCode }) });

async function find(userCode: string, headers: Record<string, string> = { cookie: cookies.operator }) {
  const response = await findDevice(new Request(`${testOrigin}/any`, { headers }), contextOf(userCode));
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function decide(
  userCode: string,
  body: Record<string, unknown>,
  headers: Record<string, string> = { cookie: cookies.operator, ...ownPage },
) {
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const response = await decideDevice(new Request(`${testOrigin}/any`, init), contextOf(userCode));
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function readEntries(request: string): Promise<{ code: string; actor: { name: string }; detail: object }[]> {
  const { rows } = await web.runtime.pool.query<{ entry: string }>("SELECT entry FROM audit_entry ORDER BY seq");
  return rows.map(({ entry }) => JSON.parse(entry)).filter(({ detail }) => detail?.request === request);
}

describe("a terminal that asks to be signed in", () => {
  it("gets codes, an address that shows the code, and ten minutes", async () => {
    const response = await post(askCode, { ...client, device_name: "deploy@build-7" });
    const body = (await response.json()) as Record<string, string>;
    expect(body).toEqual({
      device_code: expect.stringMatching(/^ghd_[\w-]{43}$/),
      user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
      verification_uri: `${testOrigin}/device`,
      verification_uri_complete: `${testOrigin}/device?user_code=${body.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    const stored = JSON.stringify((await web.runtime.pool.query("SELECT * FROM device_request, audit_entry")).rows);
    expect(stored).not.toContain(body.device_code);
    expect(stored).not.toContain(body.user_code?.replace("-", ""));
    expect(stored).not.toContain(body.user_code);
  });

  it.each([
    { name: "another client", fields: { client_id: "other", device_name: "a" }, error: "invalid_client" },
    { name: "no name", fields: client, error: "invalid_request" },
    {
      name: "a name that moves the cursor",
      fields: { ...client, device_name: "a\u001b[2J" },
      error: "invalid_request",
    },
    {
      name: "a line separator in the name",
      fields: { ...client, device_name: "a\u2028b" },
      error: "invalid_request",
    },
    {
      name: "a name of fillers",
      fields: { ...client, device_name: "\u3164\u115f" },
      error: "invalid_request",
    },
    {
      name: "a mark of direction",
      fields: { ...client, device_name: "a\u202eb" },
      error: "invalid_request",
    },
  ])("is refused with $name", async ({ fields, error }) => {
    const response = await post(askCode, fields);
    expect({ status: response.status, body: await response.json() }).toMatchObject({ status: 400, body: { error } });
  });

  it("is told to wait if its address asks too often", async () => {
    for (let count = 0; count < 10; count += 1) await ask();
    const response = await post(askCode, { ...client, device_name: "one more" });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await response.json()).toMatchObject({ error: "temporarily_unavailable" });
  });

  it("leaves no entry, and keeps no other address from asking, however many ask", async () => {
    const count = "SELECT count(*)::int AS n FROM audit_entry";
    const { rows: before } = await web.runtime.pool.query(count);
    for (let asked = 0; asked < 110; asked += 1) {
      address = `198.51.100.${asked % 11}`;
      await ask();
    }
    address = "203.0.113.1";
    const device = await ask();
    expect((await find(device.user_code)).status).toBe(200);
    expect((await web.runtime.pool.query(count)).rows).toEqual(before);
  });

  it("is told to ask again if the database takes no writes", async () => {
    const owner = createTestPool(web.database.ownerUrl);
    await owner.query(`CREATE FUNCTION refuse_write() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'the disk is full' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON device_request EXECUTE FUNCTION refuse_write()`);
    const response = await post(askCode, { ...client, device_name: "a" });
    expect([response.status, await response.json()]).toMatchObject([503, { error: "temporarily_unavailable" }]);
    await owner.query("DROP TRIGGER full_disk ON device_request");
    await owner.end();
  });

  it("takes the place of older ones of the address that has the most", async () => {
    const waiting = await ask("waits");
    await web.runtime.pool.query(
      `INSERT INTO device_request (id, device_code_hash, user_code_hash, device_name, address, created_at, expires_at)
       SELECT gen_random_uuid(), 'd' || n, 'u' || n, 'flood ' || n, '198.51.100.' || n % 50, now() + n * interval '1 ms',
         now() + interval '10 minutes' FROM generate_series(1, 1100) n`,
    );
    address = "203.0.113.2";
    const device = await ask();
    for (const { user_code } of [waiting, device]) expect((await find(user_code)).status).toBe(200);
    const { rows } = await web.runtime.pool.query<{ least: number; newest: boolean }>(
      `SELECT min(n)::int AS least, bool_or(newest) AS newest FROM (
         SELECT count(*) AS n, bool_or(device_name = 'flood 1100') AS newest FROM device_request
         WHERE state = 'pending' AND expires_at > now() AND device_name LIKE 'flood %' GROUP BY address) a`,
    );
    const waits = "SELECT count(*)::int AS n FROM device_request WHERE state = 'pending' AND expires_at > now()";
    expect((await web.runtime.pool.query(waits)).rows).toEqual([{ n: 1000 }]);
    expect(rows[0]?.least).toBeGreaterThan(15);
    expect(rows[0]?.newest).toBe(true);
    await web.runtime.pool.query("DELETE FROM device_request WHERE device_name LIKE 'flood %'");
  });

  it("takes the place of what ended a day ago", async () => {
    const old = await ask();
    aheadMs = 25 * 3_600_000;
    await ask();
    expect((await poll(old)).body).toMatchObject({ error: "invalid_grant" });
  });
});

describe("the answers of RFC 8628, section 3.5", () => {
  it("authorization_pending, then a token once it is approved, and nothing a second time", async () => {
    const device = await ask();
    expect(await poll(device)).toMatchObject({ status: 400, body: { error: "authorization_pending" } });
    expect(await decide(device.user_code, { decision: "approve", role: "operator", expiresInDays: 30 })).toMatchObject({
      status: 200,
      body: { state: "approved" },
    });
    const granted = await poll(device);
    expect(granted).toMatchObject({
      status: 200,
      body: { token_type: "Bearer", expires_in: 30 * 86_400, access_token: expect.stringMatching(/^ght_/) },
    });
    const headers = { authorization: `Bearer ${granted.body.access_token}` };
    const me = await getMe(new Request(`${testOrigin}/any`, { headers }));
    expect(await me.json()).toMatchObject({
      username: "operator",
      role: "operator",
      token: { name: "deploy@build-7" },
    });
    expect(await poll(device)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });

  it("slow_down for one that does not wait, and five seconds more from then on", async () => {
    const device = await ask();
    await poll(device);
    expect((await poll(device, 2)).body).toMatchObject({ error: "slow_down" });
    expect((await poll(device, 6)).body).toMatchObject({ error: "slow_down" });
    expect((await poll(device, 15)).body).toMatchObject({ error: "authorization_pending" });
  });

  it("access_denied if the person refuses", async () => {
    const device = await ask();
    expect((await decide(device.user_code, { decision: "refuse" })).body).toMatchObject({ state: "refused" });
    expect((await poll(device)).body).toMatchObject({ error: "access_denied" });
  });

  it("expired_token after ten minutes, approved or not", async () => {
    const [one, other] = [await ask(), await ask()];
    await decide(other.user_code, { decision: "approve" });
    aheadMs = 600_001;
    expect((await find(one.user_code)).status).toBe(404);
    expect((await poll(one)).body).toMatchObject({ error: "expired_token" });
    expect((await poll(other)).body).toMatchObject({ error: "expired_token" });
  });

  it.each<{ name: string; fields: Record<string, string>; error: string }>([
    { name: "an unknown code", fields: { grant_type: grantType, device_code: "ghd_x" }, error: "invalid_grant" },
    { name: "no code", fields: { grant_type: grantType }, error: "invalid_request" },
    { name: "another grant", fields: { grant_type: "password", device_code: "x" }, error: "unsupported_grant_type" },
  ])("$error for $name", async ({ fields, error }) => {
    const response = await post(askToken, { ...client, ...fields });
    expect({ status: response.status, body: await response.json() }).toMatchObject({ status: 400, body: { error } });
  });

  it("one token, however many polls come at the same time", async () => {
    const device = await ask();
    await decide(device.user_code, { decision: "approve" });
    aheadMs += 6000;
    const fields = { ...client, grant_type: grantType, device_code: device.device_code };
    const answers = await Promise.all(Array.from({ length: 4 }, () => post(askToken, fields)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe("the person who decides", () => {
  it("sees who asks, and the log has asked, approved and created under one id", async () => {
    const device = await ask();
    const found = await find(device.user_code.toLowerCase().replace("-", " "));
    expect(found).toMatchObject({
      status: 200,
      body: { deviceName: "deploy@build-7", address, peer: "10.0.0.7", userAgent: "gatehouse/0.1.0", state: "pending" },
    });
    expect(await readEntries(String(found.body.id))).toEqual([]);
    await decide(device.user_code, { decision: "approve" });
    await poll(device);
    const entries = await readEntries(String(found.body.id));
    expect(entries.map(({ code, actor }) => `${code} ${actor.name}`)).toEqual([
      "device.ask unknown",
      "device.approve operator",
      "token.create operator",
    ]);
    const asked = { device: "deploy@build-7", address, peer: "10.0.0.7" };
    expect(entries[0]?.detail).toMatchObject({ ...asked, at: found.body.createdAt });
    expect(entries[1]?.detail).toMatchObject({ device: "deploy@build-7", address, role: "viewer", expiresInDays: 7 });
    expect((await decide(device.user_code, { decision: "approve" })).status).toBe(404);
  });

  it("gives no more than they have", async () => {
    const device = await ask();
    const viewer = { cookie: cookies.viewer, ...ownPage };
    const stronger = await decide(device.user_code, { decision: "approve", role: "operator" }, viewer);
    expect(stronger).toMatchObject({ status: 403, body: { code: "forbidden" } });
    expect((await poll(device)).body).toMatchObject({ error: "authorization_pending" });
  });

  it("is a person on a page of Gatehouse: no token, no foreign page, nobody unknown", async () => {
    const device = await ask();
    const { token } = await createToken(web, { username: "operator" });
    const bearer = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const foreign = { cookie: cookies.operator, "content-type": "application/json", "sec-fetch-site": "cross-site" };
    expect((await decide(device.user_code, { decision: "approve" }, bearer)).status).toBe(403);
    expect((await decide(device.user_code, { decision: "approve" }, foreign)).status).toBe(403);
    expect((await decide(device.user_code, { decision: "approve" }, ownPage)).status).toBe(401);
    expect((await find(device.user_code, bearer)).status).toBe(403);
    expect((await poll(device)).body).toMatchObject({ error: "authorization_pending" });
  });

  it("cannot guess codes for long", async () => {
    const { cookie } = await openSession(web, "admin");
    const statuses = [];
    for (let count = 0; count < 11; count += 1) statuses.push((await find("BBBB-BBBB", { cookie })).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 404), 429]);
    const device = await ask();
    expect((await find(device.user_code, { cookie })).status).toBe(429);
  });

  it("has to revoke a token first if they have as many as allowed", async () => {
    const { cookie } = await openSession(web, "scopedAdmin");
    for (let count = 0; count < maxTokens; count += 1) await createToken(web, { username: "scopedAdmin" });
    const device = await ask();
    const refused = await decide(device.user_code, { decision: "approve" }, { cookie, ...ownPage });
    expect(refused).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect(await readEntries(String((await find(device.user_code, { cookie })).body.id))).toEqual([]);
    expect((await decide(device.user_code, { decision: "refuse" }, { cookie, ...ownPage })).status).toBe(200);
  });
});
