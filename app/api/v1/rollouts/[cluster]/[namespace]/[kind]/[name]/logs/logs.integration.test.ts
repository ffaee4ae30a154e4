import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type LogLineRecord, LogRecord, RolloutLogs } from "#lib/contract/log.ts";
import { Problem } from "#lib/contract/problem.ts";
import { createClusterClient } from "#lib/server/clusters/kubernetes/create-cluster-client.ts";
import { openLogStream } from "#lib/server/edge/http/open-log-stream.ts";
import { countLogSlots, logLimits, takeLogSlots } from "#lib/server/pages/logs/log-limits.ts";
import { actorKey } from "#lib/server/platform/actor/actor.ts";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { addNamespace } from "#sandbox/apiserver/testing/objects.ts";
import { plantExperiments, removeExperiments } from "#test/plant-experiments.ts";
import { operatorOf, readLogLines } from "#test/read-log-lines.ts";
import { connectRecorded } from "#test/recorded.ts";
import { waitFor } from "#test/recorder-world.ts";
import { addRunningSet } from "#test/running-set.ts";
import { type SandboxServer, startSandboxServer } from "#test/sandbox-server.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import { startWireTap, type WireTap } from "#test/wire-tap.ts";
import { GET as getLines } from "./lines/route.ts";
import { GET as getPods } from "./route.ts";

const path = { cluster: "demo", namespace: "shop", kind: "Rollout", name: "checkout" };
const startedAt = new Date(Date.now() - 60_000).toISOString().replace(/\.\d+Z$/, "Z");
let sandbox: SandboxServer;
let tap: WireTap;
let web: TestWeb;
let folder: string;
let client: ReturnType<typeof createClusterClient>;
/** Of the requests for logs that were sent to the API server. */
const signals: AbortSignal[] = [];
const ownLog: string[] = [];

beforeAll(async () => {
  sandbox = await startSandboxServer();
  addNamespace(sandbox.store, "shop");
  tap = await startWireTap(sandbox.url);
  folder = mkdtempSync(join(tmpdir(), "gatehouse-logs-"));
  writeFileSync(join(folder, "token"), sandbox.token);
  const cluster = { name: "demo", server: tap.url, tokenFile: join(folder, "token") };
  client = createClusterClient(ClusterConfig.parse(cluster));
  const watched: typeof client = {
    ...client,
    stream: (request) => {
      if (request.signal !== undefined) signals.push(request.signal);
      return client.stream(request);
    },
  };
  web = await startTestWeb({ clusters: { demo: watched }, config: { clusters: [cluster] } });
  const sink = new Writable({ write: (chunk, _encoding, done) => done(void ownLog.push(String(chunk))) });
  Object.assign(web.runtime, { log: pino({ level: "trace" }, sink) });
  const recorded = await connectRecorded(web.database.recorderUrl);
  await recorded.addSource({});
  const rollout = await recorded.addRollout({ namespace: path.namespace, name: path.name });
  const owner = createTestPool(web.database.ownerUrl);
  for (const [hash, revision] of [
    ["old", 1],
    ["new", 2],
  ] as const)
    await owner.query(
      `INSERT INTO replica_set (uid, cluster, namespace, name, rollout_id, pod_hash, revision, images, replicas, ready, available, desired, created_at, updated_at)
       VALUES ($1, 'demo', 'shop', $2, $3, $4, $5, $6, 2, 2, 2, 2, now(), now())`,
      [randomUUID(), `checkout-${hash}`, rollout.id, hash, revision, JSON.stringify([`shop:${revision}`])],
    );
  await owner.end();
  await recorded.client.end();
  for (const hash of ["old", "new"]) addSet(`checkout-${hash}`, hash, 2);
  addSet("stranger", "new", 1);
});
afterEach(async () => {
  await waitFor("every log closed", async () => countLogSlots(web.runtime) === 0);
});
afterAll(async () => {
  await web.close();
  await client.close();
  await tap.close();
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

const addSet = (name: string, hash: string, count: number) =>
  addRunningSet(sandbox.store, { namespace: "shop", name, hash, count, startedAt });

const call = (handler: typeof getLines, query: string, init: Parameters<TestWeb["request"]>[1] = {}) =>
  handler(web.request(`/api/v1/rollouts/demo/shop/Rollout/checkout/logs${query}`, { as: "operator", ...init }), {
    params: Promise.resolve(path),
  });
const lines = (query: string, init?: Parameters<TestWeb["request"]>[1]) => call(getLines, `/lines?${query}`, init);

async function recordsOf(response: Response): Promise<LogRecord[]> {
  const text = await response.text();
  return text
    .trimEnd()
    .split("\n")
    .map((line) => LogRecord.parse(JSON.parse(line)));
}
/** Has the name of the person for whom a request is sent. */
const personHeader = "impersonate-extra-gatehouse.dev%2fperson";

const isLine = (record: LogRecord): record is LogLineRecord => record.type === "line";

describe("the pods whose logs can be read", () => {
  it("are those that its ReplicaSets own, by version, with the new one marked", async () => {
    const answer = RolloutLogs.parse(await (await call(getPods, "")).json());
    expect(
      answer.versions.map(({ side, owner, revision, pods }) => [
        side,
        owner.name,
        revision,
        // Those created in the same second are ordered by name; the second may end between them.
        pods.map(({ name }) => name).toSorted(),
      ]),
    ).toEqual([
      ["new", "checkout-new", 2, ["checkout-new-0", "checkout-new-1"]],
      ["stable", "checkout-old", 1, ["checkout-old-0", "checkout-old-1"]],
    ]);
    expect(answer).toMatchObject({ readAs: "operator", source: { fresh: true, reason: null } });
  });

  it("are read as the person", async () => {
    const before = tap.requests.length;
    await call(getPods, "");
    const sent = tap.requests.slice(before);
    expect(sent.length).toBeGreaterThan(0);
    for (const { headers } of sent) expect(headers.get(personHeader)).toEqual(["operator"]);
  });
});

describe("the pods of Experiments", () => {
  let uids: string[];
  beforeAll(async () => {
    uids = await plantExperiments(web.database.ownerUrl);
    for (const name of ["checkout-exp-candidate", "checkout-exp-baseline"]) addSet(name, name, 1);
  });
  afterAll(() => removeExperiments(web.database.ownerUrl, uids));

  it("of the current version are listed behind the rollout's own, if they have pods", async () => {
    const { versions } = RolloutLogs.parse(await (await call(getPods, "")).json());
    expect(versions.map(({ owner, side, experiment }) => [owner.name, side, experiment?.template])).toEqual([
      ["checkout-new", "new", undefined],
      ["checkout-old", "stable", undefined],
      ["checkout-exp-baseline", "other", "baseline"],
      ["checkout-exp-candidate", "other", "candidate"],
    ]);
    expect(versions[3]).toMatchObject({
      images: ["shop:2"],
      revision: 2,
      experiment: { uid: uids[0], name: "checkout-exp" },
      pods: [{ name: "checkout-exp-candidate-0" }],
    });
  });

  it("are read like all others: as the person", async () => {
    const before = tap.requests.length;
    const records = await recordsOf(await lines("pods=checkout-exp-candidate-0,checkout-new-0&tailLines=2"));
    expect(new Set(records.filter(isLine).map(({ pod }) => pod))).toEqual(
      new Set(["checkout-exp-candidate-0", "checkout-new-0"]),
    );
    for (const { headers } of tap.requests.slice(before)) expect(headers.get(personHeader)).toEqual(["operator"]);
    const refused = await lines("pods=checkout-exp-candidate-0", { as: "viewer" });
    expect(Problem.parse(await refused.json())).toMatchObject({ code: "cluster_refused" });
  });

  it("of a version before are not offered", async () => {
    expect((await lines("pods=checkout-past-candidate-0")).status).toBe(404);
  });
});

describe("the Job of an analysis run", () => {
  const uid = randomUUID();
  const job = `${uid}.smoke.1`;
  beforeAll(async () => {
    const owner = createTestPool(web.database.ownerUrl);
    await owner.query(
      `INSERT INTO analysis_run (uid, rollout_id, cluster, namespace, name, type, phase, message, spec, resource_version,
         created_at, updated_at)
       SELECT $1, id, cluster, namespace, 'checkout-smoke', 'Step', 'Failed', '', '{"metrics":[]}', '9', now(), now()
         FROM rollout WHERE name = 'checkout'`,
      [uid],
    );
    await owner.end();
    addRunningSet(sandbox.store, { namespace: "shop", name: job, kind: "Job", hash: uid, count: 1, startedAt });
  });
  afterAll(async () => {
    const owner = createTestPool(web.database.ownerUrl);
    await owner.query("DELETE FROM analysis_run WHERE uid = $1", [uid]);
    await owner.end();
  });

  it("is listed last if it is asked for, and read as the person", async () => {
    const { versions } = RolloutLogs.parse(await (await call(getPods, `?job=${job}`)).json());
    expect(versions.at(-1)).toMatchObject({
      ...{ owner: { kind: "Job", name: job }, run: { uid, name: "checkout-smoke" }, side: "other", revision: null },
      pods: [{ name: `${job}-0` }],
    });
    const before = tap.requests.length;
    const records = await recordsOf(await lines(`pods=${job}-0&job=${job}&tailLines=2`));
    expect(records.filter(isLine).map(({ pod }) => pod)).toEqual([`${job}-0`, `${job}-0`]);
    for (const { headers } of tap.requests.slice(before)) expect(headers.get(personHeader)).toEqual(["operator"]);
    expect((await lines(`pods=${job}-0`)).status).toBe(404);
  });

  it("is not found if the run is of another rollout, or unknown", async () => {
    const other = `${randomUUID()}.smoke.1`;
    addRunningSet(sandbox.store, { namespace: "shop", name: other, kind: "Job", hash: other, count: 1, startedAt });
    expect((await lines(`pods=${other}-0&job=${other}`)).status).toBe(404);
    const { versions } = RolloutLogs.parse(await (await call(getPods, `?job=${other}`)).json());
    expect(versions.map(({ owner }) => owner.kind)).toEqual(["ReplicaSet", "ReplicaSet"]);
  });
});

describe("lines", () => {
  it("of several pods come with their pod and time, read as the person", async () => {
    const before = tap.requests.length;
    const records = await recordsOf(await lines("pods=checkout-new-0,checkout-new-1&tailLines=20"));
    const shown = records.filter(isLine);
    expect(shown).toHaveLength(40);
    expect(new Set(shown.map(({ pod }) => pod))).toEqual(new Set(["checkout-new-0", "checkout-new-1"]));
    for (const { at } of shown) expect(at).toMatch(/^\d{4}-.*Z$/);
    expect(records.at(-1)).toEqual({ type: "end", reason: "complete", text: "" });
    const asked = tap.requests.slice(before).filter(({ path: each }) => each.includes("/log?"));
    expect(asked).toHaveLength(2);
    for (const { headers } of asked) expect(headers.get(personHeader)).toEqual(["operator"]);
  });

  it("around a moment are cut at both ends", async () => {
    const at = Date.parse(startedAt) + 30_000;
    const [from, to] = [at - 5_500, at + 5_000].map((ms) => new Date(ms).toISOString());
    const records = await recordsOf(await lines(`pods=checkout-new-0&sinceTime=${from}&untilTime=${to}`));
    const times = records.filter(isLine).map((line) => Date.parse(line.at ?? ""));
    expect(times.length).toBeGreaterThan(5);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(at - 5_500);
    expect(Math.max(...times)).toBeLessThanOrEqual(at + 5_000);
    expect(records.at(-1)).toMatchObject({ reason: "complete" });
  });

  it("end at the limit of lines and of bytes, and say so", async () => {
    const read = (limits: Parameters<typeof readLogLines>[1]["limits"]) =>
      readLogLines(web, { ...path, pods: ["checkout-new-0"], limits });
    const cut = await read({ maxLines: 7 });
    const small = await read({ maxMebibytes: 0.0005 });
    expect(cut.filter(isLine)).toHaveLength(7);
    expect(cut.at(-1)).toEqual({ type: "end", reason: "lines", text: "This answer ends at 7 lines." });
    expect(small.at(-1)).toMatchObject({ type: "end", reason: "bytes" });
  });

  it("are followed, and the requests to the API server end when the reader goes", async () => {
    const reader = new AbortController();
    const response = await lines("pods=checkout-new-0,checkout-old-0&follow=true&tailLines=1", {
      signal: reader.signal,
    });
    const body = response.body?.getReader();
    let text = "";
    while (text.split("\n").length < 6) text += new TextDecoder().decode((await body?.read())?.value);
    expect(countLogSlots(web.runtime)).toBe(2);
    const open = signals.slice(-2);
    expect(open.map(({ aborted }) => aborted)).toEqual([false, false]);
    await body?.cancel();
    await waitFor("the requests to the API server ended", async () => open.every(({ aborted }) => aborted));
    await waitFor("the slots given back", async () => countLogSlots(web.runtime) === 0);
  });

  it("stop for a reader who may no longer read", async () => {
    const request = web.request("/api/v1/x", { as: "viewer" });
    async function* quiet(signal: AbortSignal): AsyncGenerator<LogRecord, void, void> {
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    }
    let asked: AbortSignal | undefined;
    const response = await openLogStream({
      request: new Request(request.url, { headers: { authorization: "Bearer gh_gone" } }),
      runtime: web.runtime,
      place: path,
      open: async (signal) => {
        asked = signal;
        return quiet(signal);
      },
      timing: { idleEveryMs: 20, stallMs: 5_000, recheckEveryMs: 60 },
    });
    const records = await recordsOf(response);
    expect(records[0]).toEqual({ type: "idle" });
    expect(records.at(-1)).toMatchObject({ type: "end", reason: "signed-out" });
    expect(asked?.aborted).toBe(true);
  });

  it("are not read for a HEAD request", async () => {
    const before = tap.requests.length;
    expect((await lines("pods=checkout-new-0&follow=true", { method: "HEAD" })).status).toBe(200);
    expect(tap.requests).toHaveLength(before);
  });
});

describe("what is refused, in words", () => {
  const problemOf = async (response: Response) => Problem.parse(await response.json());

  it.each([
    ["pods=stranger-0", 404, "not_found", "Pod stranger-0 is gone, and its log with it."],
    [
      "pods=checkout-new-0&container=nope",
      409,
      "not_allowed_now",
      "container nope is not valid for pod checkout-new-0.",
    ],
    [
      "pods=checkout-new-0&previous=true",
      409,
      "not_allowed_now",
      "Container app of pod checkout-new-0 has no previous instance whose log is kept.",
    ],
    ["pods=../secrets", 400, "invalid_request", undefined],
    ["pods=a&follow=true&previous=true", 400, "invalid_request", undefined],
    ["pods=a&nothing=1", 400, "invalid_request", undefined],
    ["", 400, "invalid_request", undefined],
  ])("%s", async (query, status, code, detail) => {
    const response = await lines(query);
    const problem = await problemOf(response);
    expect([response.status, problem.code]).toEqual([status, code]);
    if (detail !== undefined) expect(problem.detail).toBe(detail);
  });

  it("a missing right, by its name", async () => {
    const problem = await problemOf(await lines("pods=checkout-new-0", { as: "viewer" }));
    expect(problem.code).toBe("cluster_refused");
    expect(problem.detail).toBe("On cluster demo, viewer lacks the right to get pods/log in namespace shop.");
  });

  it("one pod of several that is gone, without losing the other", async () => {
    const records = await recordsOf(await lines("pods=checkout-new-0,checkout-new-9&tailLines=1"));
    expect(records.map(({ type }) => type)).toEqual(["problem", "line", "end"]);
    expect(records[0]).toMatchObject({
      pod: "checkout-new-9",
      text: "Pod checkout-new-9 is gone, and its log with it.",
    });
  });

  it("pods that may not be listed, which is not the same as none", async () => {
    sandbox.fault({ fault: "403", resource: "pods" });
    const problem = await problemOf(await call(getPods, ""));
    sandbox.fault({ fault: "none" });
    expect(problem.code).toBe("cluster_refused");
    expect(problem.detail).toBe("On cluster demo, operator lacks the right to list pods in namespace shop.");
  });

  it("logs that the config turns off, and those of a cluster with no rights of a person's own", async () => {
    const [cluster] = web.runtime.config().config.clusters;
    if (cluster === undefined) throw new Error("no cluster");
    cluster.logs = false;
    const off = await problemOf(await call(getPods, ""));
    cluster.logs = true;
    cluster.actAs = "serviceAccount";
    const robot = await problemOf(await lines("pods=checkout-new-0"));
    cluster.actAs = "impersonation";
    expect(off).toMatchObject({ code: "not_allowed_now", detail: expect.stringContaining("turned off") });
    expect(robot.detail).toBe(
      "Gatehouse acts on cluster demo with its own account. Logs are only read with the rights of a person.",
    );
  });

  it("more than one person may follow", async () => {
    const person = actorKey(await operatorOf(web));
    const release = takeLogSlots(web.runtime, { person, wanted: logLimits.podsPerPerson - 1 });
    const response = await lines("pods=checkout-new-0,checkout-new-1");
    release();
    expect(response.status).toBe(429);
    expect((await problemOf(response)).detail).toContain(`${logLimits.podsPerPerson} are the limit`);
  });
});

it("no line is written to the database or to our own log", async () => {
  const records = await recordsOf(await lines("pods=checkout-new-0&tailLines=50"));
  const text = records.filter(isLine).at(-1)?.text ?? "";
  const trace = /trace=([0-9a-f]{8})/.exec(text)?.[1] ?? "";
  expect(trace).toHaveLength(8);
  expect(ownLog.join("")).not.toContain(trace);
  const owner = createTestPool(web.database.ownerUrl);
  const { rows: tables } = await owner.query<{ name: string }>(
    "SELECT quote_ident(relname) AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace",
  );
  expect(tables.length).toBeGreaterThan(20);
  for (const { name } of tables) {
    const { rows } = await owner.query(`SELECT count(*)::int AS found FROM ${name} AS t WHERE t::text LIKE $1`, [
      `%${trace}%`,
    ]);
    expect(`${name} ${rows[0]?.found}`).toBe(`${name} 0`);
  }
  await owner.end();
});
