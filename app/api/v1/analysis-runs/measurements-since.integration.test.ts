import { afterAll, beforeAll, expect, it } from "vitest";
import { MeasurementList } from "#lib/contract/analysis-run.ts";
import { connectRecorded, type MeasurementFields, type Recorded } from "#test/recorded.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import * as measurementsRoute from "./[uid]/measurements/route.ts";

let web: TestWeb;
let recorded: Recorded;
beforeAll(async () => {
  web = await startTestWeb();
  recorded = await connectRecorded(web.database.recorderUrl);
});
afterAll(async () => {
  await recorded.close();
  await web.close();
});

const numbers = (from: number, to: number): MeasurementFields[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ seq: from + index, value: String(from + index) }));

async function addRun() {
  const { id: rolloutId } = await recorded.addRollout();
  const metrics = ["fast", "slow"].map((name) => ({ name, count: 0 }));
  const { uid } = await recorded.addRun({ rolloutId, createdAt: new Date(Date.UTC(2026, 2, 1)), metrics });
  const measure = (metric: string, values: MeasurementFields[]) =>
    recorded.addMeasurements({ rolloutId, uid, metric, values });
  return { uid, measure };
}

async function ask(uid: string, query: string): Promise<Response> {
  const request = web.request(`/api/v1/analysis-runs/${uid}/measurements?${query}`, { as: "viewer" });
  return measurementsRoute.GET(request, { params: Promise.resolve({ uid }) });
}

async function read(uid: string, since?: string | null) {
  const response = await ask(uid, `points=600&limit=10000${since == null ? "" : `&since=${since}`}`);
  expect(response.status).toBe(200);
  const { items, latest } = MeasurementList.parse(await response.json());
  return { words: items.map(({ metric, seq }) => `${metric} ${seq}`), latest };
}

const wordsOf = (metric: string, from: number, to: number) => numbers(from, to).map(({ seq }) => `${metric} ${seq}`);

it("gives only what was measured since, and the newest five before, which may be retaken", async () => {
  const { uid, measure } = await addRun();
  await measure("fast", numbers(1, 100));
  const first = await read(uid);
  expect(first.words).toEqual(wordsOf("fast", 1, 100));

  await measure("fast", numbers(101, 102));
  await measure("slow", numbers(1, 1));
  const second = await read(uid, first.latest);
  expect(second.words).toEqual([...wordsOf("fast", 96, 102), ...wordsOf("slow", 1, 1)]);

  const third = await read(uid, second.latest);
  expect(third.words).toEqual([...wordsOf("fast", 98, 102), ...wordsOf("slow", 1, 1)]);
  const fourth = await read(uid, third.latest);
  expect(fourth).toEqual(third);
});

it("gives a measurement again that still runs, until it has ended", async () => {
  const { uid, measure } = await addRun();
  await measure("fast", numbers(1, 20));
  await recorded.client.query(
    `UPDATE measurement SET finished_at = NULL, phase = 'R' FROM metric WHERE id = metric_id AND run_uid = $1 AND seq = 20`,
    [uid],
  );
  const first = await read(uid);
  await measure("fast", numbers(21, 30));
  expect((await read(uid, first.latest)).words).toEqual(wordsOf("fast", 15, 30));
});

it("gives the measurements of a part of the time, and no position to continue from", async () => {
  const { uid, measure } = await addRun();
  await measure("fast", numbers(1, 100));
  const response = await ask(uid, "points=10&from=2026-03-01T00:00:30Z&to=2026-03-01T00:00:34.5Z");
  const { items, ...rest } = MeasurementList.parse(await response.json());
  expect(items.map(({ seq }) => seq)).toEqual([30, 31, 32, 33, 34]);
  expect(rest).toEqual({ nextCursor: null, leftOut: [] });
});

it.each([
  ["from", "from=2026-03-01T00:00:00Z", "only with points"],
  ["to", "to=2026-03-01T00:00:00Z", "only with points"],
  ["from", "points=600&from=yesterday", ""],
  ["from", "points=600&since=W10&from=2026-03-01T00:00:00Z", "not with since"],
])("refuses %s in %s", async (name, query, reason) => {
  const { uid } = await addRun();
  const response = await ask(uid, query);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    code: "invalid_request",
    invalidParams: [{ name, reason: expect.stringContaining(reason) }],
  });
});

it.each([
  ["without points", "since=W10", "only with points"],
  ["that was never issued", "points=600&since=nonsense", "not issued by this list"],
  ["of another shape", `points=600&since=${Buffer.from('{"a":1}').toString("base64url")}`, "not issued by this list"],
  ["with a NUL character", `points=600&since=${Buffer.from('["a\\u0000",1]').toString("base64url")}`, "not issued"],
])("refuses a position %s", async (_, query, reason) => {
  const { uid } = await addRun();
  const response = await ask(uid, query);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    code: "invalid_request",
    invalidParams: [{ name: "since", reason: expect.stringContaining(reason) }],
  });
});
