import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StoredMetric } from "#lib/server/records/metric-rows.ts";
import { readNewestValues } from "#lib/server/records/read-newest-values.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { insertMeasured } from "#test/measurement-rows.ts";
import { connectRecorded, type Recorded } from "#test/recorded.ts";

let database: TestDatabase;
let recorded: Recorded;
beforeAll(async () => {
  database = await createTestDatabase();
  recorded = await connectRecorded(database.ownerUrl);
});
afterAll(async () => {
  await recorded.close();
  await database.drop();
});

const day = 24 * 60 * 60 * 1000;
const createdAt = new Date("2026-03-01T00:00:00Z");

/** `parsed`: as stored. `shown`: the value that a chart can draw. */
const samples = [
  { value: "1.5", kind: "number", parsed: 1.5, shown: 1.5, phase: "Successful" },
  { value: "[0.25]", kind: "array", parsed: 0.25, shown: 0.25, phase: "Failed" },
  { value: "NaN", kind: "nan", parsed: null, shown: null, phase: "Error" },
  { value: "+Inf", kind: "number", parsed: "Infinity", shown: null, phase: "Inconclusive" },
];
const [ordinary] = samples;
/** `stored`: else it was lost. `isRetaken`: it superseded one of the same number. */
type Taken = { sample: (typeof samples)[number] | undefined; stored: boolean; isRetaken: boolean };

const rarely = fc.integer({ min: 0, max: 9 }).map((draw) => draw === 0);
const arbitraryTaken: fc.Arbitrary<Taken> = fc.record({
  sample: fc.constantFrom(...samples),
  stored: rarely.map((isLost) => !isLost),
  isRetaken: rarely,
});

/** Stores a run with one metric. `startsAfterMs`: of the first measurement, after the run was created. */
async function record({
  series,
  startsAfterMs,
  isMeasuring,
}: {
  series: readonly Taken[];
  startsAfterMs: number;
  isMeasuring: boolean;
}) {
  const rolloutId = randomUUID();
  const { uid } = await recorded.addRun({ rolloutId, createdAt, metrics: [{ name: "m", count: series.length }] });
  const rowOf = (index: number, sample: Taken["sample"]) => ({
    ...sample,
    seq: index + 1,
    at: new Date(createdAt.getTime() + startsAfterMs + index * day).toISOString(),
  });
  const rows = series.flatMap(({ sample, stored, isRetaken }, index) => {
    if (!stored) return [];
    const row = rowOf(index, sample);
    return isRetaken ? [{ ...row, ...ordinary, superseded: true, at: row.at.replace("000Z", "001Z") }, row] : [row];
  });
  const running = isMeasuring ? [{ ...rowOf(series.length, ordinary), unfinished: true }] : [];
  await recorded.client.query(
    insertMeasured(
      ["seq", "started_at", "finished_at", "phase", "value", "parsed_kind", "parsed", "superseded"],
      `SELECT $1 AS run_uid, 'm' AS metric, seq, at AS started_at, CASE WHEN unfinished IS NULL THEN at END AS finished_at,
         phase, value, kind AS parsed_kind, parsed, superseded IS NOT NULL AS superseded
       FROM jsonb_to_recordset($2) AS r (seq int, at timestamptz, phase text, value text, kind text, parsed float8,
         superseded bool, unfinished bool)`,
    ),
    [uid, JSON.stringify([...rows, ...running])],
  );
  const { rows: metrics } = await recorded.client.query<{ id: string }>("SELECT id FROM metric WHERE run_uid = $1", [
    uid,
  ]);
  return { rollout_id: rolloutId, uid, created_at: createdAt, metricId: metrics[0]?.id ?? "" };
}

/** The metric as the controller counted it. */
const countersOf = ({ uid, metricId: id }: { uid: string; metricId: string }, count: number) =>
  ({ id, run_uid: uid, name: "m", count, error: 0 }) as StoredMetric;

/** Reads the values of these runs, each with as many measurements by the controller's count. */
async function readValues(runs: readonly { run: Awaited<ReturnType<typeof record>>; count: number }[]) {
  const values = await readNewestValues(
    { pool: recorded.client as never },
    runs.map(({ run }) => run),
    Promise.resolve(runs.map(({ run, count }) => countersOf(run, count))),
  );
  return new Map(
    [...values.values()].map(({ run_uid: uid, numbers, last, last_phase: phase }) => [uid, { numbers, last, phase }]),
  );
}

describe("the newest values of a metric", () => {
  it("are the last 30 that ended and were not taken again, whatever was lost and wherever they are stored", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryTaken, { maxLength: 150 }),
        // The clock of the controller may be behind that of the API server, and a run may be older than its first partition.
        fc.integer({ min: -400, max: 400 }),
        fc.boolean(),
        async (series, startsAfterDays, isMeasuring) => {
          const run = await record({ series, startsAfterMs: startsAfterDays * day, isMeasuring });
          const kept = series.filter(({ stored }) => stored).slice(-30);
          const expected = {
            numbers: kept.map(({ sample }) => sample?.shown ?? null),
            last: kept.at(-1)?.sample?.value ?? null,
            phase: kept.at(-1)?.sample?.phase ?? null,
          };
          expect((await readValues([{ run, count: series.length }])).get(run.uid)).toEqual(
            kept.length === 0 ? undefined : expected,
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it("keeps metrics of several runs apart, complete or not", async () => {
    const taken = { sample: ordinary, stored: true, isRetaken: false };
    const near = await record({ series: [taken, taken], startsAfterMs: 0, isMeasuring: false });
    const early = await record({ series: [taken, taken, taken], startsAfterMs: -10 * day, isMeasuring: false });
    const values = await readValues([
      { run: near, count: 2 },
      { run: early, count: 3 },
    ]);
    expect(values.get(near.uid)?.numbers).toEqual([1.5, 1.5]);
    expect(values.get(early.uid)?.numbers).toEqual([1.5, 1.5, 1.5]);
  });
});
