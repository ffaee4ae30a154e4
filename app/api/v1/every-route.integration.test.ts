import { globSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Endpoint } from "#lib/contract/endpoint.ts";
import { endpoints } from "#lib/contract/endpoint-table.ts";
import { Problem } from "#lib/contract/problem.ts";
import { robotIssuer } from "#lib/server/people/auth/derive-rights.ts";
import { askRoute } from "#test/hardening/ask-route.ts";
import { liveObjectsOf } from "#test/hardening/live-objects.ts";
import { configOf, createToken, openSession, ownPage, type Person, people } from "#test/hardening/people.ts";
import { type Name, refused, rows } from "#test/hardening/route-rows.ts";
import { plantSeed, type Seed } from "#test/hardening/seed.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";

let web: TestWeb;
let seed: Seed;
const cookies = new Map<Person, string>();
let expiredToken: string;
let revokedCookie: string;

const cluster = liveObjectsOf(() => seed);

beforeAll(async () => {
  const clusters = [{ name: "demo", server: cluster.server, access: "read" }];
  const channel = { name: "planted-channel", type: "webhook", url: cluster.server, signingSecret: "env:UNUSED" };
  const notifications = { channels: [channel], routes: [{ name: "planted-route", to: [channel.name] }] };
  const policies = {
    freezes: [{ name: "planted-freeze", start: "0 0 1 1 *", duration: "24h", clusters: ["elsewhere"] }],
  };
  web = await startTestWeb({ config: configOf({ clusters, notifications, policies }), clusters: { demo: cluster } });
  seed = await plantSeed(web);
  for (const person of people) cookies.set(person, (await openSession(web, person)).cookie);
  const expired = await createToken(web, { username: "admin" });
  expiredToken = expired.token;
  const pool = createTestPool(web.database.ownerUrl);
  await pool.query("UPDATE api_token SET expires_at = now() - interval '1 second' WHERE id = $1", [expired.id]);
  const revoked = await openSession(web, "admin");
  revokedCookie = revoked.cookie;
  await pool.query("UPDATE user_session SET revoked_at = now() WHERE id = $1", [revoked.sessionId]);
  await pool.end();
});
afterAll(() => web.close());

type Entry = Omit<Endpoint, "status"> & { status?: number };
const table = Object.entries(endpoints) as [Name, Entry][];
const routeRoot = join(import.meta.dirname, "../..");

async function call(name: Name, headers: Record<string, string>): Promise<{ answer: string; text: string }> {
  const response = await askRoute(name, { seed, headers });
  expect(response.headers.get("access-control-allow-origin")).toBeNull();
  const isEndless = response.headers.get("content-type") === "text/event-stream";
  if (isEndless) await response.body?.cancel();
  const text = isEndless ? "" : await response.text();
  if (response.status < 400) return { answer: String(response.status), text };
  const problem = Problem.parse(JSON.parse(text));
  expect(problem.status).toBe(response.status);
  return { answer: `${response.status} ${problem.code}`, text };
}

describe("the table of routes", () => {
  it("has a row for every endpoint, and no other row", () => {
    expect(Object.keys(rows).toSorted()).toEqual(Object.keys(endpoints).toSorted());
  });

  it("has an endpoint for every method of every route file, and no other", async () => {
    const files = globSync("api/v1/**/route.ts", { cwd: routeRoot }).filter((file) => !file.includes("openapi.json"));
    const served: string[] = [];
    for (const file of files) {
      const module = (await import(join(routeRoot, file))) as Record<string, unknown>;
      const path = `/${file
        .replace(/\/route\.ts$/, "")
        .replaceAll("[", "{")
        .replaceAll("]", "}")}`;
      const methods = Object.keys(module).filter((key) => /^[A-Z]+$/.test(key));
      served.push(...methods.map((method) => `${method} ${path}`));
    }
    expect(served.toSorted()).toEqual(table.map(([, { method, path }]) => `${method} ${path}`).toSorted());
  });
});

describe("whoever is nobody", () => {
  it.each(table)("is told so by %s", async (name) => {
    const nobody: Record<string, Record<string, string>> = {
      anonymous: {},
      "expired token": { authorization: `Bearer ${expiredToken}` },
      "revoked session": { cookie: revokedCookie },
      "token of nobody": { authorization: `Bearer ght_${"A".repeat(43)}`, cookie: cookies.get("admin") ?? "" },
    };
    for (const [who, headers] of Object.entries(nobody)) {
      web.runtime.tokenLimiter.reset("unknown");
      const { answer } = await call(name, { ...ownPage, ...headers });
      expect(`${who}: ${answer}`).toBe(`${who}: 401 unauthenticated`);
    }
  });
});

describe("an admin's cookie on a page of another origin", () => {
  it.each(table.filter(([, { method }]) => method !== "GET"))("changes nothing by %s", async (name) => {
    const cookie = cookies.get("admin") ?? "";
    const json = { "content-type": "application/json", cookie };
    for (const origin of [
      { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
      { "sec-fetch-site": "same-site" },
      { origin: "http://sub.127.0.0.1:7460" },
      { origin: "null" },
      {},
    ])
      expect((await call(name, { ...json, ...origin } as Record<string, string>)).answer).toBe(refused);
  });
});

describe("every route", () => {
  it.each(table)("%s answers each as the table says", async (name) => {
    const { answers: expected, shows = [], planted = ({ marker }: Seed) => marker } = rows[name];
    const reported: Partial<Record<Person, string>> = {};
    const shown: Person[] = [];
    for (const person of people) {
      const { answer, text } = await call(name, { ...ownPage, cookie: cookies.get(person) ?? "" });
      reported[person] = answer;
      if (answer.startsWith("2") && text.includes(planted(seed))) shown.push(person);
    }
    expect(reported).toEqual(expected);
    if (shows !== "not looked for") expect(shown).toEqual(shows);
  });

  it("binds a robot's token by its name among robots, and by no person's", async () => {
    const robotNamed = async (username: string, role: "viewer" | "admin") => {
      const { token } = await createToken(web, { username, role, ownerIssuer: robotIssuer });
      return { ...ownPage, authorization: `Bearer ${token}` };
    };
    const robot = (person: Person, role: "viewer" | "admin") => robotNamed(`${person}-robot`, role);
    expect((await call("getRun", await robotNamed("admin", "admin"))).answer).toBe("401 unauthenticated");
    const [outsider, scopedAdmin, capped] = [
      await robot("outsider", "admin"),
      await robot("scopedAdmin", "admin"),
      await robot("admin", "viewer"),
    ];
    expect((await call("listRuns", outsider)).text).not.toContain(seed.marker);
    expect((await call("getRun", outsider)).answer).toBe("404 not_found");
    expect((await call("getRun", scopedAdmin)).answer).toBe("200");
    expect((await call("getAdminStorage", scopedAdmin)).answer).toBe(refused);
    expect((await call("getRun", capped)).answer).toBe("200");
    expect((await call("actOnRun", capped)).answer).toBe(refused);
  });

  it("makes no token for a token: a leaked one must not multiply", async () => {
    const { token } = await createToken(web, { username: "operator" });
    expect((await call("createToken", { ...ownPage, authorization: `Bearer ${token}` })).answer).toBe(refused);
  });
});
