import { globSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Endpoint, endpoints } from "#lib/contract/endpoint-table.ts";
import { Problem } from "#lib/contract/problem.ts";
import { robotIssuer } from "#lib/server/auth/derive-rights.ts";
import type { RouteHandler } from "#lib/server/http/endpoint.ts";
import { liveObjectsOf } from "#test/hardening/live-objects.ts";
import { configOf, createToken, openSession, ownPage, type Person, people } from "#test/hardening/people.ts";
import { plantSeed, type Seed } from "#test/hardening/seed.ts";
import { startTestWeb, type TestWeb, testOrigin } from "#test/web-runtime.ts";

type Name = keyof typeof endpoints;
type Sent = { id?: string | number; query?: string; body?: unknown; expectation?: true };
/** The status, with the problem's code if there is one. */
type Answer = `${number}` | `${number} ${string}`;
type Row = {
  /** What goes into the path and the body; paths of a rollout or a template use those of the seed. */
  send?: (seed: Seed) => Sent;
  answers: Record<Person, Answer>;
  /**
   * The people whose answer must contain the planted value; all other answers must not. "not looked for": not checked.
   */
  shows?: readonly Person[] | "not looked for";
  planted?: (seed: Seed) => string;
};

/**
 * Answers in the order of `people`: two of another namespace, three who reach everything, an admin of one namespace.
 */
function answers(
  outsider: Answer,
  stranger: Answer,
  viewer: Answer,
  operator: Answer,
  admin: Answer,
  scopedAdmin: Answer,
): Row["answers"] {
  return { outsider, stranger, viewer, operator, admin, scopedAdmin };
}
const inReach = ["viewer", "operator", "admin", "scopedAdmin"] as const;
const forAll = answers("200", "200", "200", "200", "200", "200");
const inReachOnly = answers("404 not_found", "404 not_found", "200", "200", "200", "200");
const refused = "403 forbidden";

/** A list that everybody may request, and that contains only what the caller may see. */
const list: Row = { answers: forAll, shows: inReach };
/** One object, or a list below one object. */
const thing: Row = { answers: inReachOnly, shows: inReach };
const harmless: Row = { answers: forAll, shows: [] };

const expectationOf = ({ viewDigest, rolloutUid }: Seed) => ({ viewDigest, uid: rolloutUid, revisionKey: "new" });

const rows: Record<Name, Row> = {
  getMe: harmless,
  listClusters: harmless,
  listSources: harmless,
  listHeldObjects: harmless,
  releaseHeld: {
    send: ({ sourceId }) => ({ body: { source: sourceId, reason: "gone" } }),
    answers: answers(refused, refused, refused, refused, "409 not_allowed_now", refused),
  },
  listRollouts: list,
  getRollout: thing,
  getRolloutObject: thing,
  listRolloutReleases: thing,
  listRolloutRuns: thing,
  listRolloutTimeline: { ...thing, shows: "not looked for" },
  listRolloutPods: { ...thing, shows: [] },
  listRolloutEvents: { ...thing, shows: [] },
  actOnRollout: {
    send: (seed) => ({ body: { action: "abort", reason: "r", expect: expectationOf(seed) } }),
    answers: answers("404 not_found", "404 not_found", refused, "409 read_only", "409 read_only", "409 read_only"),
  },
  planRolloutAction: { send: () => ({ body: { action: "abort" } }), answers: inReachOnly, shows: "not looked for" },
  actOnRun: {
    send: (seed) => ({ id: seed.runUid, body: { action: "terminate", reason: "r", expect: expectationOf(seed) } }),
    answers: answers(refused, "404 not_found", refused, "409 read_only", "409 read_only", "409 read_only"),
  },
  planRunAction: {
    send: ({ runUid }) => ({ id: runUid, body: { action: "terminate" } }),
    answers: inReachOnly,
    shows: "not looked for",
  },
  actOnExperiment: {
    send: (seed) => ({
      id: seed.experimentUid,
      body: { action: "terminate", reason: "r", expect: expectationOf(seed) },
    }),
    answers: answers(refused, "404 not_found", refused, "409 read_only", "409 read_only", "409 read_only"),
  },
  planExperimentAction: {
    send: ({ experimentUid }) => ({ id: experimentUid, body: { action: "terminate" } }),
    answers: inReachOnly,
    shows: "not looked for",
  },
  getAction: { ...thing, send: ({ actionId }) => ({ id: actionId }) },
  listReleases: list,
  getRelease: { ...thing, send: ({ releaseId }) => ({ id: releaseId }) },
  getReleaseCourse: { ...thing, send: ({ releaseId }) => ({ id: releaseId }) },
  getReleaseMoment: {
    ...thing,
    send: ({ releaseId }) => ({ id: releaseId, query: "?at=2026-11-23T03:12:07Z" }),
    shows: "not looked for",
  },
  listRuns: list,
  getRun: { ...thing, send: ({ runUid }) => ({ id: runUid }) },
  listMeasurements: { ...thing, send: ({ runUid }) => ({ id: runUid }) },
  listEarlierSeries: { ...thing, send: ({ runUid }) => ({ id: runUid }), shows: [] },
  exportRun: { ...thing, send: ({ runUid }) => ({ id: runUid }) },
  listExperiments: list,
  getExperiment: { ...thing, send: ({ experimentUid }) => ({ id: experimentUid }) },
  listFindings: list,
  countFindings: harmless,
  getFinding: { ...thing, send: ({ findingId }) => ({ id: findingId }) },
  acknowledgeFinding: {
    send: ({ findingId }) => ({ id: findingId, body: { reason: "r" } }),
    answers: answers(refused, "404 not_found", refused, "200", "409 conflict", "409 conflict"),
    shows: ["operator"],
  },
  withdrawFinding: {
    send: ({ findingId }) => ({ id: findingId }),
    answers: answers(refused, "404 not_found", refused, "200", "409 conflict", "409 conflict"),
    shows: ["operator"],
  },
  listTemplates: list,
  getTemplate: thing,
  listTemplateVersions: { ...thing, shows: "not looked for" },
  // Everybody who sees the cluster sees its controllers; where they run, those who read all of it.
  listControllers: { answers: forAll, shows: ["viewer", "operator", "admin"] },
  getController: {
    send: () => ({ id: "argo-rollouts" }),
    answers: forAll,
    shows: ["viewer", "operator", "admin"],
  },
  listControllerSamples: { send: () => ({ id: "argo-rollouts" }), answers: forAll, shows: [] },
  evaluateAnalysis: {
    ...harmless,
    send: () => ({ body: { result: { type: "float64", value: 1 }, successCondition: "result > 0" } }),
  },
  assessAnalysis: { ...harmless, send: () => ({ body: { spec: { metrics: [] }, metricResults: [] } }) },
  backtestAnalysis: {
    send: ({ runUid, marker }) => ({ body: { runUids: [runUid], metric: marker, proposal: {} } }),
    answers: forAll,
    shows: inReach,
    planted: ({ runUid }) => runUid,
  },
  lintAnalysis: {
    send: ({ path }) => ({
      body: { source: "metrics: []", rollout: `${path.cluster}/${path.namespace}/${path.kind}/${path.name}` },
    }),
    answers: inReachOnly,
    shows: [],
  },
  composeAnalysis: { ...harmless, send: () => ({ body: { templates: [] } }) },
  getInbox: list,
  // Filtered by actor, because the first page may contain only refusals from the other rows.
  listAudit: {
    ...list,
    send: ({ auditedName }) => ({ query: `?actor=${auditedName}` }),
    planted: ({ auditedName }) => auditedName,
  },
  verifyAudit: { answers: answers(refused, refused, refused, refused, "200", refused) },
  getAuditEntry: { ...thing, send: ({ auditSeq }) => ({ id: auditSeq }), planted: ({ auditedName }) => auditedName },
  exportAudit: { ...list, planted: ({ auditedName }) => auditedName },
  listSandboxFaults: { answers: answers(refused, refused, refused, refused, "404 not_found", refused) },
  playSandboxFault: {
    send: () => ({ body: { fault: "none" } }),
    answers: answers(refused, refused, refused, refused, "404 not_found", refused),
  },
  getConfigStatus: harmless,
  confirmConfig: {
    send: () => ({ body: { reason: "r" } }),
    answers: answers(refused, refused, refused, refused, "409 conflict", refused),
  },
  requestApproval: {
    send: (seed) => ({ body: { action: "promote-full", reason: "r", expect: expectationOf(seed) } }),
    answers: answers(
      refused,
      "404 not_found",
      refused,
      "409 not_allowed_now",
      "409 not_allowed_now",
      "409 not_allowed_now",
    ),
  },
  listApprovals: list,
  decideApproval: {
    send: ({ approvalId }) => ({ id: approvalId, body: { decision: "approve", viewDigest: "another view" } }),
    answers: answers(refused, "404 not_found", refused, "409 stale_view", "409 stale_view", "409 stale_view"),
  },
  acknowledge: {
    send: () => ({ body: { reason: "r", viewDigest: "another view" } }),
    answers: answers(refused, "404 not_found", refused, "409 stale_view", "409 stale_view", "409 stale_view"),
  },
  withdrawAcknowledgement: {
    answers: answers(refused, "404 not_found", refused, "409 conflict", "409 conflict", "409 conflict"),
  },
  claim: {
    send: () => ({ body: { since: "2026-01-01T00:00:00.000Z" } }),
    answers: answers(refused, "404 not_found", refused, "409 stale_view", "409 stale_view", "409 stale_view"),
  },
  releaseClaim: {
    answers: answers(refused, "404 not_found", refused, "409 conflict", "409 conflict", "409 conflict"),
  },
  snooze: {
    send: () => ({ body: { reason: "r", viewDigest: "another view", until: null } }),
    answers: answers(refused, "404 not_found", refused, "409 stale_view", "409 stale_view", "409 stale_view"),
  },
  wake: {
    answers: answers(refused, "404 not_found", refused, "409 conflict", "409 conflict", "409 conflict"),
  },
  listSessions: { ...list, shows: ["admin"] },
  revokeSession: {
    send: ({ sessionId }) => ({ id: sessionId }),
    answers: answers("404 not_found", "404 not_found", "404 not_found", "404 not_found", "200", "404 not_found"),
    shows: "not looked for",
  },
  listTokens: { ...list, shows: ["viewer", "admin"] },
  createToken: {
    send: () => ({ body: { name: "t", role: "operator" } }),
    answers: answers(refused, "201", refused, "201", "201", "201"),
  },
  revokeToken: {
    send: ({ tokenId }) => ({ id: tokenId }),
    answers: answers("404 not_found", "404 not_found", "200", "404 not_found", "200", "404 not_found"),
    shows: "not looked for",
  },
  listRolloutGates: { ...thing, shows: [] },
  listHookCredentials: { answers: answers(refused, refused, refused, refused, "200", refused), shows: ["admin"] },
  createHookCredential: {
    send: () => ({ body: { name: "h", cluster: "demo", namespaces: ["*"] } }),
    answers: answers(refused, refused, refused, refused, "201", refused),
  },
  revokeHookCredential: {
    send: ({ hookCredentialId }) => ({ id: hookCredentialId }),
    answers: answers(refused, refused, refused, refused, "200", "404 not_found"),
    shows: "not looked for",
  },
  listNotifiableEvents: list,
  listNotificationChannels: {
    answers: answers(refused, refused, refused, refused, "200", refused),
    shows: ["admin"],
    planted: () => "planted-route",
  },
  sendTestNotification: {
    send: () => ({ id: "planted-channel" }),
    answers: answers(refused, refused, refused, refused, "202", refused),
    shows: "not looked for",
  },
  listNotifications: { answers: answers(refused, refused, refused, refused, "200", refused), shows: ["admin"] },
  retryNotification: {
    send: ({ notificationId }) => ({ id: notificationId }),
    answers: answers(refused, refused, refused, refused, "202", refused),
    shows: ["admin"],
  },
  stream: { answers: forAll, shows: "not looked for" },
};

let web: TestWeb;
let seed: Seed;
const cookies = new Map<Person, string>();
let expiredToken: string;
let revokedCookie: string;

const cluster = liveObjectsOf(() => seed);

beforeAll(async () => {
  const clusters = [{ name: "demo", server: cluster.server, access: "read" }];
  const channel = { name: "planted-channel", type: "webhook", url: cluster.server, signingSecretEnv: "UNUSED" };
  const notifications = { channels: [channel], routes: [{ name: "planted-route", to: [channel.name] }] };
  web = await startTestWeb({ config: configOf({ clusters, notifications }), clusters: { demo: cluster } });
  seed = await plantSeed(web);
  for (const person of people) cookies.set(person, (await openSession(web, person)).cookie);
  const expired = await createToken(web, { username: "admin" });
  expiredToken = expired.token;
  const { pool } = web.runtime;
  await pool.query("UPDATE api_token SET expires_at = now() - interval '1 second' WHERE id = $1", [expired.id]);
  const revoked = await openSession(web, "admin");
  revokedCookie = revoked.cookie;
  await pool.query("UPDATE user_session SET revoked_at = now() WHERE id = $1", [revoked.sessionId]);
});
afterAll(() => web.close());

type Entry = Omit<Endpoint, "status"> & { status?: number };
const table = Object.entries(endpoints) as [Name, Entry][];
const routeRoot = join(import.meta.dirname, "../..");

function sentOf(name: Name): { path: string; params: Record<string, string>; body: string | undefined } {
  const { path } = endpoints[name];
  const { id, query = "", body } = rows[name].send?.(seed) ?? {};
  const places: Record<string, string> = path.includes("{templateKind}") ? seed.template : seed.path;
  const params: Record<string, string> = {};
  for (const [, key = ""] of path.matchAll(/\{([^}]+)\}/g)) params[key] = places[key] ?? String(id);
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ""));
  return { path: filled + query, params, body: body === undefined ? undefined : JSON.stringify(body) };
}

async function call(name: Name, headers: Record<string, string>): Promise<{ answer: string; text: string }> {
  const { method, path: pattern } = endpoints[name];
  const file = join(routeRoot, pattern.replaceAll("{", "[").replaceAll("}", "]"), "route.ts");
  const module = (await import(file)) as Record<string, RouteHandler | undefined>;
  const handler = module[method];
  if (handler === undefined) throw new Error(`${file} exports no ${method}`);
  const { path, params, body } = sentOf(name);
  const request = new Request(testOrigin + path, { method, headers, ...(body === undefined ? {} : { body }) });
  const response = await handler(request, { params: Promise.resolve(params) });
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
    const told: Partial<Record<Person, string>> = {};
    const shown: Person[] = [];
    for (const person of people) {
      const { answer, text } = await call(name, { ...ownPage, cookie: cookies.get(person) ?? "" });
      told[person] = answer;
      if (answer.startsWith("2") && text.includes(planted(seed))) shown.push(person);
    }
    expect(told).toEqual(expected);
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
    expect((await call("verifyAudit", scopedAdmin)).answer).toBe(refused);
    expect((await call("getRun", capped)).answer).toBe("200");
    expect((await call("actOnRun", capped)).answer).toBe(refused);
  });

  it("makes no token for a token: a leaked one must not multiply", async () => {
    const { token } = await createToken(web, { username: "operator" });
    expect((await call("createToken", { ...ownPage, authorization: `Bearer ${token}` })).answer).toBe(refused);
  });
});
