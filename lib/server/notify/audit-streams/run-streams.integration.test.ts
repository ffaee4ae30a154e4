import fc from "fast-check";
import type { Pool } from "pg";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type ChainLink, verifyChain } from "#lib/domain/audit/audit-chain.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { AuditStreamConfig } from "#lib/server/platform/config/audit-stream-schema.ts";
import { createRecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";
import { parseJson } from "#lib/util/json.ts";
import { type CrashPoint, createCrashingPool, createFuse, type Fuse } from "#test/crashing-pool.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { type NotificationReceiver, startNotificationReceiver } from "#test/notification-receiver.ts";
import { createTestPool } from "#test/test-pool.ts";
import { readStreamStates } from "./read-stream-states.ts";
import { createAuditStreams, type StreamOptions } from "./run-streams.ts";
import { sendBatch } from "./send-batch.ts";

let database: TestDatabase;
let pool: Pool;
let owner: Pool;
let receiver: NotificationReceiver;
let warnings: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createTestPool(database.recorderUrl);
  owner = createTestPool(database.ownerUrl, 1);
  receiver = await startNotificationReceiver();
});
afterEach(async () => {
  await owner.query("TRUNCATE audit_stream");
  receiver.received.length = 0;
  receiver.answer((response) => response.writeHead(204).end());
  warnings = [];
});
afterAll(async () => {
  await pool.end();
  await owner.end();
  await receiver.close();
  await database.drop();
});

async function append(count: number): Promise<void> {
  const actor = { type: "system", name: "test" } as const;
  const entry = { actor, source: "system", code: "config.loaded", requestId: "r" } as const;
  await Promise.all(Array.from({ length: count }, () => appendAudit({ pool, entry })));
}

const streamTo = (url: string, more: Record<string, unknown> = {}) =>
  AuditStreamConfig.parse({ name: "siem", type: "webhook", url, ...more });

function run(auditStreams: AuditStreamConfig[], more: Partial<StreamOptions> = {}) {
  const metrics = createRecorderMetrics();
  const stop = new AbortController();
  const streams = createAuditStreams(
    {
      pool,
      metrics,
      config: () => ({ auditStreams, publicUrl: "https://gatehouse.example.com" }),
      log: { warn: (_: unknown, text: unknown) => void warnings.push(String(text)) } as StreamOptions["log"],
      ...more,
    },
    stop.signal,
  );
  return { ...streams, metrics, stop };
}

/** One pass, with all that it sends. */
async function pass(streams: AuditStreamConfig[], more: Partial<StreamOptions> = {}): Promise<void> {
  const { turn, settle } = run(streams, more);
  await turn();
  await settle();
}

const received = (from = 0): (ChainLink & { entry: string })[] =>
  receiver.received.slice(from).flatMap(({ body }) => body.trimEnd().split("\n").map(parseJson)) as never;
const seqs = (from = 0) => received(from).map(({ seq }) => seq);
const newestSeq = async () => Number((await owner.query("SELECT max(seq) AS seq FROM audit_entry")).rows[0]?.seq ?? 0);
const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

it("sends the whole log in order, in requests of at most 200 entries, and then only new entries", async () => {
  await append(450);
  const stream = streamTo(receiver.url);
  await pass([stream]);
  const newest = await newestSeq();
  expect(await verifyChain(received())).toEqual({ ok: true, entries: newest });
  expect(receiver.received.length).toBe(Math.ceil(newest / 200));
  const before = receiver.received.length;
  await pass([stream]);
  await append(2);
  await pass([stream]);
  expect(seqs(before)).toEqual([newest + 1, newest + 2]);
});

it("begins at firstSeq, and goes on by its name: at a new address from its place, under a new name from the start", async () => {
  await append(2);
  const newest = await newestSeq();
  await pass([streamTo(receiver.url, { firstSeq: newest - 1 })]);
  expect(seqs()).toEqual([newest - 1, newest]);
  await append(1);
  await pass([streamTo(`${receiver.url}/moved`)]);
  expect(seqs(1)).toEqual([newest + 1]);
  await pass([streamTo(receiver.url, { name: "renamed", firstSeq: newest })]);
  expect(seqs(2)).toEqual([newest, newest + 1]);
  await pass([streamTo(receiver.url, { name: "later", firstSeq: newest + 3 })]);
  await append(3);
  await pass([streamTo(receiver.url, { name: "later" })]);
  expect(seqs(3)).toEqual([newest + 3, newest + 4]);
});

it.each([
  { name: "has the stream no longer", change: () => [] },
  { name: "has another address", change: (old: string) => [streamTo(`${old}/moved`)] },
])("stops after the batch under way as soon as the config $name", async ({ change }) => {
  await append(Math.max(0, 401 - (await newestSeq())));
  let auditStreams: AuditStreamConfig[] = [streamTo(receiver.url)];
  const { turn, settle } = run([], {
    config: () => ({ auditStreams, publicUrl: "https://gatehouse.example.com" }),
    send: async (to, batch) => {
      auditStreams = change(receiver.url);
      return sendBatch(to, batch);
    },
  });
  await turn();
  await settle();
  expect(seqs()).toEqual(upTo(1, 200));
  // A changed one goes on from its place.
  await pass([streamTo(`${receiver.url}/moved`)]);
  expect(seqs(1)).toEqual(upTo(201, await newestSeq()));
});

it("stops, and says so, when the log is not the one that was sent", async () => {
  const stream = streamTo(receiver.url);
  await pass([stream]);
  const newest = await newestSeq();
  await owner.query("UPDATE audit_stream SET hash = 'another'");
  await append(1);
  const from = receiver.received.length;
  await pass([stream]);
  const error = `entry ${newest + 1} does not follow entry ${newest} as it was sent: verify the log, then give the stream another name to send it again`;
  expect(await readStreamStates(pool, [stream])).toMatchObject([
    { seq: newest, error, lagSeconds: expect.any(Number) },
  ]);
  await owner.query("UPDATE audit_stream SET seq = seq + 100");
  await pass([stream]);
  const [state] = await readStreamStates(pool, [stream]);
  expect(state?.error).toContain(`the log no longer has entry ${newest + 100} as it was sent`);
  expect(state?.lagSeconds).toBeGreaterThan(0);
  expect(receiver.received.length).toBe(from);
});

/** Runs passes until all is sent or the fuse is blown. */
async function live(stream: AuditStreamConfig, fuse: Fuse): Promise<void> {
  const send: NonNullable<StreamOptions["send"]> = (to, batch) => fuse.run(() => sendBatch(to, batch));
  for (let count = 0; count < 5 && !fuse.isBlown(); count++) {
    const { turn, settle } = run([stream], { pool: createCrashingPool(pool, fuse), send });
    await turn().catch((error: unknown) => {
      if (!fuse.isBlown()) throw error;
    });
    await settle();
    const [state] = await readStreamStates(owner, [stream]);
    if (state?.seq === state?.newestSeq) return;
  }
}

/** Appends entries while a process dies at these points; returns the steps of the last one. */
async function play(points: readonly CrashPoint[]): Promise<number> {
  await append(3);
  const newest = await newestSeq();
  const stream = streamTo(receiver.url, { name: "crashing", firstSeq: newest - 2 });
  await owner.query("TRUNCATE audit_stream");
  const from = receiver.received.length;
  for (const point of points) await live(stream, createFuse(point));
  await append(2);
  const last = createFuse();
  await live(stream, last);
  const all = received(from);
  const distinct = [...new Map(all.map((each) => [each.seq, each])).values()];
  // Nothing is lost, and a repeat is the same entry under the same hash.
  expect(distinct.map(({ seq }) => seq)).toEqual(upTo(newest - 2, newest + 2));
  for (const each of all) expect(each).toEqual(distinct.find(({ seq }) => seq === each.seq));
  // In order: a repeat begins again where the place is, and nothing is skipped.
  let highest = newest - 3;
  for (const { seq } of all) {
    expect(seq).toBeLessThanOrEqual(highest + 1);
    highest = Math.max(highest, seq);
  }
  return last.steps();
}

it("loses nothing, wherever the recorder dies", async () => {
  const steps = await play([]);
  expect(steps).toBeGreaterThan(5);
  for (let step = 1; step <= steps; step++)
    for (const when of ["before", "after"] as const) await play([{ step, when }]);
});

it("survives dying again and again", async () => {
  const point = fc.record({
    step: fc.integer({ min: 1, max: 12 }),
    when: fc.constantFrom("before" as const, "after" as const),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(point, { minLength: 2, maxLength: 5 }), async (points) => void (await play(points))),
    { numRuns: 20 },
  );
});

it("an hour without a receiver costs few tries, and holds up neither the chain nor the other streams", async () => {
  const dead = streamTo("http://127.0.0.1:1/", { name: "dead" });
  const good = streamTo(receiver.url, { name: "good" });
  let ms = 0;
  const tries: string[] = [];
  const send: NonNullable<StreamOptions["send"]> = async (to, batch) => {
    tries.push(to.name);
    return sendBatch(to, batch);
  };
  const { turn, settle, metrics } = run([dead, good], { now: () => ms, send });
  for (; ms < 3_600_000; ms += 10_000) {
    if (ms % 600_000 === 0) await append(1);
    await turn();
    // Until both streams have answered.
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  expect(tries.filter((name) => name === "dead").length).toBeLessThan(130);
  expect(tries.filter((name) => name === "dead").length).toBeGreaterThan(50);
  expect(seqs().at(-1)).toBe(await newestSeq());
  expect(warnings).toEqual(["entries of the audit log could not be sent"]);
  const text = await metrics.registry.metrics();
  expect(text).toMatch(/gatehouse_audit_stream_failures_total\{stream="dead"\} \d+/);
  expect(text).toMatch(/gatehouse_audit_stream_lag_seconds\{stream="dead"\} 0?\.?\d*[1-9]/);
  expect(text).toContain('gatehouse_audit_stream_lag_seconds{stream="good"} 0');
  const [state] = await readStreamStates(pool, [dead]);
  expect(state).toMatchObject({ seq: 0, error: "no connection (ECONNREFUSED)", failingSince: expect.any(String) });
  await settle();
  expect(await metrics.registry.metrics()).not.toContain("gatehouse_audit_stream_lag_seconds{");
  // As soon as it is back, it gets everything.
  await pass([{ ...dead, url: receiver.url } as AuditStreamConfig]);
  expect(await readStreamStates(pool, [dead])).toMatchObject([{ lagSeconds: 0, failingSince: null, error: null }]);
});

it("a receiver that hangs holds up no other, and an append does not wait for it", async () => {
  receiver.answer((response, { body }) => {
    if (!body.includes("hang")) response.writeHead(204).end();
  });
  const hanging = Promise.withResolvers<void>();
  const streams = [streamTo(receiver.url, { name: "hanging" }), streamTo(receiver.url, { name: "good" })];
  const { turn, settle } = run(streams, {
    send: async (to, batch) => {
      if (to.name === "hanging") await hanging.promise;
      return sendBatch(to, batch);
    },
  });
  await turn();
  await append(1);
  const newest = await newestSeq();
  for (let seen = 0; seen < newest; await new Promise((resolve) => setTimeout(resolve, 10))) {
    await turn();
    seen = (await readStreamStates(pool, streams)).find(({ name }) => name === "good")?.seq ?? 0;
  }
  expect(await readStreamStates(pool, streams)).toMatchObject([{ seq: 0 }, { seq: newest, lagSeconds: 0 }]);
  hanging.resolve();
  await settle();
});

it("stops before a batch with a hole, and before one whose entries do not follow each other", async () => {
  await owner.query("ALTER TABLE audit_entry DISABLE TRIGGER USER");
  await append(8);
  const newest = await newestSeq();
  await owner.query("DELETE FROM audit_entry WHERE seq = $1", [newest - 5]);
  await owner.query("UPDATE audit_entry SET previous_hash = 'another' WHERE seq = $1", [newest - 1]);
  const streams = [
    streamTo(receiver.url, { name: "hole", firstSeq: newest - 7 }),
    streamTo(receiver.url, { name: "other", firstSeq: newest - 3 }),
  ];
  await pass(streams);
  expect(await readStreamStates(pool, streams)).toMatchObject([
    { seq: newest - 8, error: expect.stringContaining(`entry ${newest - 5} is missing: `) },
    { seq: newest - 4, error: expect.stringContaining(`entry ${newest - 1} does not follow entry ${newest - 2}: `) },
  ]);
  expect(receiver.received).toEqual([]);
});

it("without streams there is no lag", async () => {
  const { turn, metrics } = run([]);
  await turn();
  expect(await metrics.registry.metrics()).not.toContain("gatehouse_audit_stream_lag_seconds{");
});
