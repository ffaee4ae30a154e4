import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "#lib/contract/endpoint-table.ts";
import { Status } from "#lib/contract/system.ts";
import { answerStatus } from "#lib/server/edge/http/probes.ts";
import { replicaEndpoints } from "#lib/server/edge/http/replica-endpoints.ts";
import { readReplayState, readWalPosition } from "#lib/server/platform/db/replica/wal-position.ts";
import { setWebRuntime } from "#lib/server/process/web-runtime.ts";
import { type DatabasePair, startPair } from "#test/database-pair.ts";
import { askRoute } from "#test/hardening/ask-route.ts";
import { liveObjectsOf } from "#test/hardening/live-objects.ts";
import { configOf, openSession, ownPage } from "#test/hardening/people.ts";
import type { Name } from "#test/hardening/route-rows.ts";
import { plantSeed, type Seed } from "#test/hardening/seed.ts";
import { connectRecorded, type Recorded } from "#test/recorded.ts";
import { waitFor } from "#test/recorder-world.ts";
import { parseEvents } from "#test/stream-events.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import { checkReadReplica } from "../../../bin/commands/doctor.ts";

// Two real servers: the standby streams from the primary, asynchronously. The tests run in this order.

let pair: DatabasePair;
let web: TestWeb;
let seed: Seed;
let recorded: Recorded;
let standby: pg.Pool;
let cookie: string;

const cluster = liveObjectsOf(() => seed);
const maxLagMs = 1500;

beforeAll(async () => {
  pair = await startPair({ isSynchronous: false });
  standby = createTestPool(pair.standbyUrls.ownerUrl, 1);
  const clusters = [{ name: "demo", server: cluster.server, access: "read" }];
  web = await startTestWeb({
    config: configOf({ clusters }),
    clusters: { demo: cluster },
    database: { ...pair.urls, drop: async () => {} },
    readUrl: pair.standbyUrls.webUrl,
    maxLagMs,
  });
  seed = await plantSeed(web);
  recorded = await connectRecorded(pair.urls.recorderUrl);
  cookie = (await openSession(web, "admin")).cookie;
});
afterAll(async () => {
  await recorded.close();
  await standby.end();
  await web.close();
  await pair.stop();
});

const replicaState = () => web.runtime.replica?.state();
const untilInUse = () => waitFor("the replica in use", () => replicaState()?.state === "in-use");
const pause = () => standby.query("SELECT pg_wal_replay_pause()");
const resume = () => standby.query("SELECT pg_wal_replay_resume()");

async function delayReplay(delay: string): Promise<void> {
  await standby.query(`ALTER SYSTEM SET recovery_min_apply_delay = '${delay}'`);
  await standby.query("SELECT pg_reload_conf()");
}

async function ask(name: Name): Promise<{ by: "replica" | "primary"; status: number; text: string }> {
  const response = await askRoute(name, { seed, headers: { cookie, ...ownPage } });
  const isEndless = response.headers.get("content-type") === "text/event-stream";
  if (isEndless) await response.body?.cancel();
  const by = response.headers.get("x-gatehouse-answered-by") === "replica" ? "replica" : "primary";
  return { by, status: response.status, text: isEndless ? "" : await response.text() };
}

/** Asks until the replica answers: it may be a few milliseconds behind the last write. */
async function askReplica(name: Name): Promise<string> {
  return waitFor(`the replica answers ${name}`, async () => {
    const { by, status, text } = await ask(name);
    expect(status, text).toBe(200);
    return by === "replica" && text;
  });
}

describe("a web process with a read replica", () => {
  it("reads the place of both servers as the web's role", async () => {
    const pool = createTestPool(pair.standbyUrls.webUrl, 1);
    const { timeline } = await readWalPosition(web.runtime.pool);
    expect(timeline).toBe(1);
    const state = await readReplayState(pool, { answerWithinMs: 1000 });
    expect(state).toMatchObject({ isStandby: true, position: { timeline: 1 } });
    expect(await readReplayState(web.runtime.pool, { answerWithinMs: 1000 })).toMatchObject({ isStandby: false });
    await pool.end();
  });

  it.each(Object.keys(replicaEndpoints) as Name[])("answers %s from the replica as from the primary", async (name) => {
    await untilInUse();
    // Some answers count up to now.
    const at = new Date();
    const stopped = { ...web.runtime, now: () => at };
    try {
      setWebRuntime(stopped);
      const fromReplica = await askReplica(name);
      setWebRuntime({ ...stopped, replica: undefined });
      expect(fromReplica).toBe((await ask(name)).text);
    } finally {
      setWebRuntime(web.runtime);
    }
  });

  it("answers everything else from the primary", async () => {
    await untilInUse();
    for (const [name, { method }] of Object.entries(endpoints) as [Name, { method: string }][]) {
      if (method !== "GET" || Object.hasOwn(replicaEndpoints, name)) continue;
      expect((await ask(name)).by, name).toBe("primary");
    }
  });

  it("is found well by the doctor, and a primary in its place is not", async () => {
    const primaryUrl = pair.urls.ownerUrl;
    const check = (readUrl: string) => checkReadReplica({ readUrl, primaryUrl, maxLagMs: 300 });
    expect(await check(pair.standbyUrls.ownerUrl)).toMatch(/^a standby, which had replayed/);
    await expect(check(primaryUrl)).rejects.toThrow(/is not a standby/);
    await pause();
    await recorded.addRollout();
    await expect(check(pair.standbyUrls.ownerUrl).finally(resume)).rejects.toThrow(/more than 300 ms behind/);
  });

  it("says so in /status, and counts the answers", async () => {
    const status = Status.parse(await (await answerStatus(web.request("/status", { headers: { cookie } }))).json());
    expect(status.database.replica).toMatchObject({ state: "in-use", lagSeconds: expect.any(Number) });
    const metrics = await web.runtime.metrics.registry.metrics();
    expect(metrics).toMatch(/gatehouse_replica_reads_total\{answer="replica"\} [1-9]/);
  });
});

describe("a replica that lags", () => {
  afterEach(async () => {
    await resume();
    await delayReplay("0");
  });

  it("is not asked for what it has not replayed: a list shows what was written just before", async () => {
    await untilInUse();
    await pause();
    const name = `late-${randomUUID()}`;
    await recorded.addRollout({ name });
    const { by, text } = await ask("listRollouts");
    expect([by, text.includes(name)]).toEqual(["primary", true]);
    await resume();
    await untilInUse();
    expect(await askReplica("listRollouts")).toContain(name);
  });

  it("shows a person what they have just written", async () => {
    await untilInUse();
    await delayReplay("150ms");
    const seen = new Set<string>();
    for (let index = 0; index < 6; index++) {
      const name = index % 2 === 0 ? "acknowledgeFinding" : "withdrawFinding";
      const { status, text } = await ask(name);
      expect(status, text).toBeLessThan(300);
      const { by, text: list } = await ask("listFindings");
      seen.add(by);
      const { items } = JSON.parse(list) as { items: { id: string; acknowledged: unknown }[] };
      const finding = items.find(({ id }) => id === seed.findingId);
      expect(finding?.acknowledged === null, `${by} after ${name}`).toBe(name === "withdrawFinding");
    }
    expect(seen).toEqual(new Set(["primary"]));
  });

  it("is waited for by reads that take long, up to the bound", async () => {
    await untilInUse();
    await delayReplay("400ms");
    await recorded.addRelease({ rolloutId: await rolloutIdOfSeed(), runKey: randomUUID(), state: "promoted" });
    const count = async () => {
      const { by, text } = await ask("getReleaseInsights");
      return { by, releases: JSON.stringify(JSON.parse(text).days).length, text };
    };
    const first = await count();
    expect(first.by).toBe("replica");
    setWebRuntime({ ...web.runtime, replica: undefined });
    const fromPrimary = await count().finally(() => setWebRuntime(web.runtime));
    expect(totals(first.text)).toEqual(totals(fromPrimary.text));
  });

  it("is left alone beyond the bound, and used again when it has caught up", async () => {
    await untilInUse();
    await pause();
    await recorded.addRollout();
    await waitFor("a replica that is behind", () => replicaState()?.state === "behind");
    expect(replicaState()?.lagMs).toBeGreaterThan(maxLagMs);
    const startMs = performance.now();
    expect((await ask("getReleaseInsights")).by).toBe("primary");
    expect(performance.now() - startMs).toBeLessThan(maxLagMs);
    await resume();
    await untilInUse();
    expect(replicaState()?.lagMs).toBeLessThan(maxLagMs);
  });

  it("has no lag while the primary is idle", async () => {
    await untilInUse();
    await new Promise((resolve) => setTimeout(resolve, maxLagMs + 500));
    expect(replicaState()).toMatchObject({ state: "in-use" });
  });

  it("never answers without a change that the stream has told", async () => {
    await untilInUse();
    const gone = new AbortController();
    const { GET } = await import("./stream/route.ts");
    await waitFor("the feed", () => web.runtime.changes.cursor());
    const response = await GET(
      web.request("/api/v1/stream", { headers: { cookie, "sec-fetch-site": "same-origin" }, signal: gone.signal }),
      { params: Promise.resolve({}) },
    );
    const events = parseEvents(response.body ?? new ReadableStream());
    await events.next();
    const answered = { replica: 0, primary: 0 };
    const { id } = await recorded.addRollout({ name: "told" });
    for (let index = 0; index < 40; index++) {
      if (index === 25) await delayReplay("120ms");
      const message = `change-${index}.`;
      await recorded.client.query("BEGIN");
      await recorded.client.query("UPDATE rollout SET message = $2 WHERE id = $1", [id, message]);
      await recorded.addChange({ kind: "rollout", ref: id });
      await recorded.client.query("NOTIFY gatehouse_change");
      await recorded.client.query("COMMIT");
      for (;;) {
        const event = (await events.next()).value;
        if (event?.event === "change" && JSON.parse(event.data ?? "{}").id === id) break;
      }
      const { by, text } = await ask("listRollouts");
      answered[by] += 1;
      expect(text, `${by} ${index}`).toContain(message);
    }
    gone.abort();
    expect(answered.primary).toBeGreaterThan(0);
    expect(answered.replica).toBeGreaterThan(0);
  });
});

describe("a replica that fails", () => {
  it("fails no read, and is used again when it is back", async () => {
    await untilInUse();
    pair.killStandby();
    // A connection may outlive the server by a moment, and answers as before.
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask("listReleases")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await waitFor("the state", () => replicaState()?.state === "down");
    expect((await ask("listReleases")).by).toBe("primary");
    const status = await (await answerStatus(web.request("/status", { headers: { cookie } }))).text();
    expect(JSON.parse(status)).toMatchObject({ ready: true, database: { replica: { state: "down" } } });
    expect(status).not.toContain("ECONNREFUSED");
    await pair.startStandby();
    await untilInUse();
    await askReplica("listReleases");
  });

  it("is not read once it was promoted by mistake, and nothing else changes", async () => {
    await untilInUse();
    const pool = createTestPool(pair.standbyUrls.ownerUrl, 1);
    await pool.query("SELECT pg_promote(true, 60)");
    const { by, status } = await ask("listRollouts");
    expect([by, status]).toEqual(["primary", 200]);
    await waitFor("the state", () => replicaState()?.state === "not-a-standby");
    expect((await readWalPosition(pool)).timeline).toBe(2);
    const name = `after-${randomUUID()}`;
    await recorded.addRollout({ name });
    expect((await ask("listRollouts")).text).toContain(name);
    await pool.end();
  });
});

async function rolloutIdOfSeed(): Promise<string> {
  const { rows } = await recorded.client.query<{ id: string }>("SELECT id FROM rollout WHERE uid = $1", [
    seed.rolloutUid,
  ]);
  return rows[0]?.id ?? "";
}

/** Returns the counts per day of an insights answer. */
function totals(text: string): unknown {
  const { days } = JSON.parse(text) as { days: Record<string, number>[] };
  return days.map(({ promoted, aborted, open }) => [promoted, aborted, open]);
}
