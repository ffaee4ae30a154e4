import { afterAll, beforeAll, expect, it } from "vitest";
import { EarlierSeriesList } from "#lib/contract/analysis-run.ts";
import { connectRecorded, type MeasurementFields, type Recorded } from "#test/recorded.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import * as earlierRoute from "./[uid]/earlier/route.ts";

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

/** `recorded.addMeasurements` writes its values from here on, one second after the other. */
const begin = new Date(Date.UTC(2026, 2, 1));

async function addRun(rolloutId: string, hour: number, values: readonly MeasurementFields[], metric = "m") {
  const { uid } = await recorded.addRun({
    rolloutId,
    createdAt: new Date(begin.getTime() + hour * 3_600_000),
    metrics: [{ name: metric, count: values.length }],
  });
  await recorded.client.query("UPDATE analysis_run SET started_at = $1 WHERE uid = $2", [begin, uid]);
  await recorded.addMeasurements({ rolloutId, uid, metric, values: [...values] });
  return uid;
}

const numbers = (count: number, numberOf: (seq: number) => number): MeasurementFields[] =>
  Array.from({ length: count }, (_, index) => ({ seq: index + 1, value: String(numberOf(index + 1)) }));

async function read(uid: string) {
  const request = web.request(`/api/v1/analysis-runs/${uid}/earlier`, { as: "viewer" });
  const response = await earlierRoute.GET(request, { params: Promise.resolve({ uid }) });
  expect(response.status).toBe(200);
  return EarlierSeriesList.parse(await response.json()).items;
}

it("gives the last five earlier runs of the same metric and rollout, newest first", async () => {
  const rollout = await recorded.addRollout();
  const other = await recorded.addRollout();
  const uids: string[] = [];
  for (const hour of [1, 2, 3, 4, 5, 6])
    uids.push(
      await addRun(
        rollout.id,
        hour,
        numbers(2, () => hour),
      ),
    );
  await addRun(
    rollout.id,
    7,
    numbers(2, () => 99),
    "another",
  );
  await addRun(
    other.id,
    7,
    numbers(2, () => 99),
  );
  const own = await addRun(
    rollout.id,
    8,
    numbers(2, () => 8),
  );
  await addRun(
    rollout.id,
    9,
    numbers(2, () => 9),
  );
  const items = await read(own);
  expect(items.map(({ uid }) => uid)).toEqual(uids.slice(1).reverse());
  expect(items[0]).toMatchObject({
    metric: "m",
    points: [
      { seq: 1, offsetSeconds: 1, low: 6, high: 6 },
      { seq: 2, offsetSeconds: 2, low: 6, high: 6 },
    ],
  });
});

it("keeps the extremes of a long run within few points", async () => {
  const rollout = await recorded.addRollout();
  await addRun(
    rollout.id,
    1,
    numbers(1_500, (seq) => (seq === 777 ? -50 : seq === 778 ? 50 : 1)),
  );
  const [series] = await read(
    await addRun(
      rollout.id,
      2,
      numbers(1, () => 0),
    ),
  );
  const points = series?.points ?? [];
  expect(points.length).toBeGreaterThan(100);
  expect(points.length).toBeLessThanOrEqual(121);
  expect(Math.min(...points.map(({ low }) => low))).toBe(-50);
  expect(Math.max(...points.map(({ high }) => high))).toBe(50);
  const offsets = points.map(({ offsetSeconds }) => offsetSeconds);
  expect(offsets).toEqual(offsets.toSorted((one, two) => one - two));
});

it("leaves out what is not a number, and a run without any", async () => {
  const rollout = await recorded.addRollout();
  await addRun(rollout.id, 1, [{ seq: 1, value: "NaN", kind: "nan", parsed: null }]);
  await addRun(rollout.id, 2, [
    { seq: 1, value: "x", kind: "string", parsed: null },
    { seq: 2, value: "0" },
  ]);
  const items = await read(
    await addRun(
      rollout.id,
      3,
      numbers(1, () => 1),
    ),
  );
  expect(items.map(({ points }) => points)).toEqual([[{ seq: 2, offsetSeconds: 2, low: 0, high: 0 }]]);
});

it("has nothing for the first run", async () => {
  const rollout = await recorded.addRollout();
  expect(
    await read(
      await addRun(
        rollout.id,
        1,
        numbers(1, () => 1),
      ),
    ),
  ).toEqual([]);
});
