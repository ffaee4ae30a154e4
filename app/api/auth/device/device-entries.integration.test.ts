import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { configOf, openSession, ownPage } from "#test/hardening/people.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb, testOrigin } from "#test/web-runtime.ts";
import { POST as decideDevice } from "../../v1/device-requests/[userCode]/decision/route.ts";
import { POST as askCode } from "./code/route.ts";
import { POST as askToken } from "./token/route.ts";

const client = { client_id: "gatehouse-cli" };

let web: TestWeb;
let owner: ReturnType<typeof createTestPool>;
let cookie: string;
beforeAll(async () => {
  web = await startTestWeb({ config: configOf() });
  owner = createTestPool(web.database.ownerUrl);
  ({ cookie } = await openSession(web, "operator"));
});
const letWrite = () => owner.query("GRANT INSERT ON audit_entry TO gatehouse_web");
afterEach(letWrite);
afterAll(async () => {
  await owner.end();
  await web.close();
});

const form = (handler: (request: Request) => Promise<Response>, fields: Record<string, string>) =>
  handler(new Request(`${testOrigin}/any`, { method: "POST", body: new URLSearchParams({ ...client, ...fields }) }));
const ask = () => form(askCode, { device_name: "deploy@build-7" });
const poll = (code: string) =>
  form(askToken, { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code: code });
const decide = (userCode: string, body: Record<string, unknown>) =>
  decideDevice(
    new Request(`${testOrigin}/any`, {
      method: "POST",
      headers: { cookie, ...ownPage },
      body: JSON.stringify(body),
    }),
    { params: Promise.resolve({ userCode }) },
  );

/** Of all requests, what became of them, and how many tokens there are. */
async function readAll(): Promise<unknown> {
  const { rows } = await owner.query(
    "SELECT (SELECT json_agg(state ORDER BY created_at) FROM device_request) AS states, (SELECT count(*) FROM api_token) AS tokens",
  );
  return rows[0];
}

describe("while no entry can be written", () => {
  it.each<{ name: string; before: string[]; tried: (codes: Record<string, string>) => Promise<Response> }>([
    { name: "approved", before: [], tried: ({ user_code = "" }) => decide(user_code, { decision: "approve" }) },
    { name: "refused", before: [], tried: ({ user_code = "" }) => decide(user_code, { decision: "refuse" }) },
    { name: "given a token", before: ["approve"], tried: ({ device_code = "" }) => poll(device_code) },
  ])("no terminal is $name", async ({ before, tried }) => {
    const codes = (await (await ask()).json()) as Record<string, string>;
    for (const decision of before) expect((await decide(codes.user_code ?? "", { decision })).status).toBe(200);
    const all = await readAll();
    await owner.query("REVOKE INSERT ON audit_entry FROM gatehouse_web");
    expect((await tried(codes)).status).toBeGreaterThanOrEqual(500);
    expect(await readAll()).toEqual(all);
  });
});

it.each([0, -1, 1.5, 367, null])("no terminal is signed in for %j days", async (expiresInDays) => {
  const { user_code: code = "" } = (await (await ask()).json()) as Record<string, string>;
  expect((await decide(code, { decision: "approve", expiresInDays })).status).toBe(400);
  expect((await decide(code, { decision: "refuse" })).status).toBe(200);
});

it.each([1, 366])("a terminal is signed in for %j days", async (expiresInDays) => {
  const { user_code: code = "" } = (await (await ask()).json()) as Record<string, string>;
  expect((await decide(code, { decision: "approve", expiresInDays })).status).toBe(200);
});
