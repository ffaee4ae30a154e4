import fc from "fast-check";
import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nothingRelated } from "#lib/domain/delivery/related-state.ts";
import { collectEvidence } from "#lib/server/acting/act/collect-evidence.ts";
import { readFactRuns } from "#lib/server/oversight/read-fact-runs.ts";
import { readMeasurementBatch } from "#lib/server/pages/backtest/read-measurement-batch.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { loadStoredMeasurements } from "#lib/server/recording/kinds/known-measurements.ts";
import { insertOpenGaps } from "#lib/server/recording/kinds/open-gaps.ts";
import { unpackRuns } from "#lib/server/recording/kinds/packed-measurements.ts";
import { insertMeasurements, type MeasurementRow } from "#lib/server/recording/kinds/run-rows.ts";
import { loadRunStates } from "#lib/server/recording/kinds/run-state.ts";
import { computeDueRunFigures } from "#lib/server/recording/upkeep/compute-run-figures.ts";
import { loadDueRuns, loadRecordedRun } from "#lib/server/recording/upkeep/load-recorded-run.ts";
import { packDueRuns } from "#lib/server/recording/upkeep/pack-runs.ts";
import { readCounters } from "#lib/server/records/metric-rows.ts";
import { readNewestValues } from "#lib/server/records/read-newest-values.ts";
import * as earlierRoute from "../app/api/v1/analysis-runs/[uid]/earlier/route.ts";
import * as exportRoute from "../app/api/v1/analysis-runs/[uid]/export/route.ts";
import * as measurementsRoute from "../app/api/v1/analysis-runs/[uid]/measurements/route.ts";
import * as runRoute from "../app/api/v1/analysis-runs/[uid]/route.ts";
import * as runsRoute from "../app/api/v1/analysis-runs/route.ts";
import * as momentRoute from "../app/api/v1/releases/[id]/moment/route.ts";
import { createCrashingPool, createFuse } from "./crashing-pool.ts";
import { connectRecorded, type Recorded, type RecordedRollout } from "./recorded.ts";
import { createTestPool } from "./test-pool.ts";
import { startTestWeb, type TestWeb } from "./web-runtime.ts";

let web: TestWeb;
let recorder: Pool;
let recorded: Recorded;
beforeAll(async () => {
  web = await startTestWeb();
  recorder = createTestPool(web.database.recorderUrl, 4);
  recorded = await connectRecorded(web.database.ownerUrl);
});
afterAll(async () => {
  await Promise.all([recorder.end(), recorded.close()]);
  await web.close();
});

const begin = Date.UTC(2026, 1, 1);
type Row = Omit<MeasurementRow, "metric_id">;

/** As a controller measures: whole seconds, in order, one number each. */
const usual = fc.record({
  kind: fc.constantFrom("n", "a" as const),
  parsed: fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer().map((n) => n / 997),
  ),
  phase: fc.constantFrom("S", "S", "S", "F", "I" as const),
  startMs: fc.integer({ min: 0, max: 3600 }).map((s) => s * 1000),
  lastsMs: fc.integer({ min: 0, max: 40_000 }).map((s) => s * 1000),
});
/** Of everything that a measurement may have, something is not as usual. */
const unusual = fc.record(
  {
    kind: fc.constantFrom("N", "+", "-", "o", "s", "e", "u" as const),
    parsed: fc.constantFrom(null, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1.7e308, -0, 5e-324),
    phase: fc.constantFrom("P", "R", "E", "?Odd" as const, "?" as const, "?Über" as const),
    startMs: fc.integer({ min: -(10 ** 12), max: 10 ** 12 }),
    lastsMs: fc.constantFrom(undefined, -5000, 1, 1_000_000_000, 10 ** 12),
    value: fc.oneof(
      fc.constantFrom(null, "", "NaN", "[1, NaN]", "\\u0000", '{"a": [1, "\\""]}', "NULL"),
      fc.string({ unit: "grapheme" }),
    ),
    message: fc.oneof(fc.constantFrom("", "a, {b}", "\\", '"'), fc.string({ unit: "grapheme" })),
    metadata: fc.constantFrom("", '{"a":"b"}', '{"job":"x","why":"ü, \\"{}\\""}'),
    escaped: fc.boolean(),
    seqGap: fc.integer({ min: 0, max: 2500 }),
    isRetaken: fc.boolean(),
  },
  { requiredKeys: [] },
);
const measurement = fc.tuple(
  usual,
  fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: unusual }),
);
const metric = fc.tuple(fc.boolean(), fc.array(measurement, { maxLength: 25 }));

type Value<A> = A extends fc.Arbitrary<infer T> ? T : never;
type Drawn = { isPlain: boolean; all: readonly [Value<typeof usual>, Partial<Value<typeof unusual>>][] };

const storable = (text: string) => text.replaceAll("\0", "").toWellFormed();

const otherwise = { value: "", message: "", metadata: "", escaped: false, seqGap: 0, isRetaken: false };

/** Makes rows with different keys; a number that was taken again counts once. */
function toRows({ isPlain, all }: Drawn): Row[] {
  const rows: Row[] = [];
  let seq = 0;
  for (const [usually, odd] of all) {
    const taken = { ...otherwise, ...usually, ...(isPlain ? {} : odd) };
    const { kind, parsed, phase, startMs, lastsMs, value, message, metadata, escaped, seqGap, isRetaken } = taken;
    seq += 1 + seqGap;
    const started = begin + startMs + rows.length * 30_000;
    const row: Row = {
      started_at: new Date(started).toISOString(),
      finished_at: lastsMs === undefined ? null : new Date(started + lastsMs).toISOString(),
      parsed,
      seq,
      superseded: false,
      escaped,
      phase,
      parsed_kind: kind,
      value: value === null ? null : storable(value),
      message: storable(message),
      metadata,
    };
    if (isRetaken)
      rows.push({ ...row, started_at: new Date(started).toISOString().replace("Z", "001Z"), superseded: true });
    rows.push(row);
  }
  return rows;
}

type Stored = { rollout: RecordedRollout; release: string; uid: string; later: string; rolloutId: string };

const names = ["error-rate", "latency"];

/** Stores a run with these measurements, its release, and a later run of the same rollout. */
async function store(metrics: readonly Row[][]): Promise<Stored> {
  const rollout = await recorded.addRollout();
  const createdAt = new Date(begin - 1000);
  const spec = {
    metrics: names.map((name) => ({ name, count: 5, successCondition: "result < 1", provider: { web: {} } })),
  };
  const run = { rolloutId: rollout.id, namespace: rollout.namespace, phase: "Failed", spec };
  const { uid } = await recorded.addRun({
    ...run,
    createdAt,
    metrics: names.map((name, index) => ({ name, count: (metrics[index] ?? []).length, failed: 1 })),
  });
  const { uid: later } = await recorded.addRun({ ...run, metrics: names.map((name) => ({ name })) });
  const { id: release } = await recorded.addRelease({ rolloutId: rollout.id, startedAt: createdAt, state: "aborted" });
  await recorded.addObservation({ rolloutId: rollout.id, at: createdAt });
  const ids = await metricIds(uid);
  await inTransaction(recorder, async (tx) => {
    for (const [index, rows] of metrics.entries())
      await insertMeasurements(
        tx,
        rows.map((row) => ({ ...row, metric_id: ids[index] ?? "" })),
      );
  });
  await recorded.client.query(
    "INSERT INTO measurement_gap (metric_id, after_seq, count) VALUES ($1, 2, 3), ($1, 9, 1)",
    [ids[0]],
  );
  return { rollout, release, uid, later, rolloutId: rollout.id };
}

async function metricIds(uid: string): Promise<string[]> {
  const { rows } = await recorded.client.query<{ id: string }>(
    "SELECT id FROM metric WHERE run_uid = $1 ORDER BY ord",
    [uid],
  );
  return rows.map(({ id }) => id);
}

/** Ends the run so long ago that it is packed, and packs what is due. */
async function pack({ uid }: Pick<Stored, "uid">, pool = recorder): Promise<void> {
  await end(uid, 31);
  await packAll(pool);
}

async function end(uid: string, daysAgo: number | null): Promise<void> {
  const update = "UPDATE analysis_run SET completed_at = now() - make_interval(days => $2) WHERE uid = $1";
  await recorded.client.query(update, [uid, daysAgo]);
}

async function packAll(pool = recorder): Promise<void> {
  while ((await packDueRuns(pool)) > 0);
}

async function unpack({ rolloutId, uid }: Stored): Promise<void> {
  await inTransaction(recorder, (tx) => unpackRuns(tx, [{ rollout_id: rolloutId, uid }]));
}

async function countRows(uid: string): Promise<{ rows: number; packed: number }> {
  const { rows } = await recorded.client.query<{ rows: number; packed: number }>(
    `SELECT (SELECT count(*)::int FROM measurement WHERE metric_id = ANY($1)) AS rows,
       (SELECT count(*)::int FROM packed_measurement WHERE metric_id = ANY($1)) AS packed`,
    [await metricIds(uid)],
  );
  return rows[0] ?? { rows: 0, packed: 0 };
}

/** The columns of all measurements, with microseconds. */
async function readAll(runs: readonly Pick<Stored, "uid">[]): Promise<string[]> {
  const ids: string[] = [];
  for (const { uid } of runs) ids.push(...(await metricIds(uid)));
  const { rows } = await recorded.client.query<{ row: string }>(
    `SELECT concat_ws('|', metric_id, seq, started_at, COALESCE(finished_at::text, 'none'), parsed, superseded, escaped, phase,
       parsed_kind, COALESCE(value, 'none'), message, metadata) AS row
     FROM recorded_measurement WHERE metric_id = ANY($1) ORDER BY metric_id, seq, started_at`,
    [ids],
  );
  return rows.map(({ row }) => row);
}

async function answerOf(response: Response): Promise<{ text: string; nextCursor?: string | null }> {
  const text = await response.text();
  expect(response.status, text).toBe(200);
  if (!response.headers.get("content-type")?.includes("json")) return { text };
  const body: { nextCursor?: string | null } = JSON.parse(text);
  return { text, nextCursor: body.nextCursor ?? null };
}

async function readPages(uid: string, query: string): Promise<string[]> {
  const texts: string[] = [];
  for (let cursor: string | null | undefined = ""; typeof cursor === "string"; ) {
    const path = `/api/v1/analysis-runs/${uid}/measurements?${query}${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
    const response = await measurementsRoute.GET(web.request(path, { as: "viewer" }), {
      params: Promise.resolve({ uid }),
    });
    const { text, nextCursor } = await answerOf(response);
    texts.push(text);
    cursor = nextCursor;
  }
  return texts;
}

const allPages = ["limit=7", "limit=6&order=desc", "limit=500&only=unsuccessful", "points=8", "limit=3&metric=latency"];

/** Everything that is read of the measurements. */
async function readEverything({ rollout, release, uid, later, rolloutId }: Stored, pages = allPages) {
  const { pool } = web.runtime;
  const key = { rollout_id: rolloutId, uid };
  const get = (path: string) => web.request(`/api/v1${path}`, { as: "viewer" });
  const of = (id: string) => ({ params: Promise.resolve({ uid: id }) });
  await recorded.client.query("UPDATE analysis_run SET figures_version = NULL WHERE uid = $1", [uid]);
  await computeDueRunFigures(recorder);
  const figures = await recorded.client.query(
    "SELECT name, nans, margin_median, margin_low FROM metric WHERE run_uid = $1 ORDER BY name",
    [uid],
  );
  const due = (await loadDueRuns(recorder, 10_000)).find((each) => each.uid === uid);
  if (due === undefined) throw new Error("the run is not to be checked");
  const batch = (metricName: string, after: number) =>
    readMeasurementBatch(web.runtime, { runs: [key], metric: metricName, after });
  return {
    all: await readAll([{ uid }]),
    pages: await Promise.all(pages.map((query) => readPages(uid, query))),
    run: (await answerOf(await runRoute.GET(get(`/analysis-runs/${uid}`), of(uid)))).text,
    list: (await answerOf(await runsRoute.GET(get(`/analysis-runs?namespace=${rollout.namespace}`), of("")))).text,
    csv: (await answerOf(await exportRoute.GET(get(`/analysis-runs/${uid}/export`), of(uid)))).text,
    earlier: (await answerOf(await earlierRoute.GET(get(`/analysis-runs/${later}/earlier`), of(later)))).text,
    moment: (
      await answerOf(
        await momentRoute.GET(get(`/releases/${release}/moment?at=${new Date(begin + 1_800_000).toISOString()}`), {
          params: Promise.resolve({ id: release }),
        }),
      )
    ).text,
    newest: await readNewestValues(
      { pool },
      [{ ...key, created_at: new Date(begin - 1000) }],
      readCounters(web.runtime, [key]),
    ),
    stored: await inTransaction(recorder, (tx) =>
      loadStoredMeasurements(tx, { rolloutId, runUid: uid, metric: "latency", pending: [], marks: [] }),
    ),
    states: await inTransaction(recorder, (tx) => loadRunStates(tx, [uid])),
    recordedRun: await loadRecordedRun(recorder, due),
    batches: await Promise.all([batch("error-rate", 0), batch("error-rate", 5), batch("latency", 3)]),
    facts: await readFactRuns(recorder, { rolloutId, from: new Date(0).toISOString(), limit: 10 }),
    evidence: await collectEvidence({
      ...{ pool, rolloutId, rollout: undefined, related: nothingRelated },
      subject: { kind: "AnalysisRun", name: "checkout-run", uid },
    }),
    figures: figures.rows,
  };
}

describe("packed measurements", () => {
  it("are read as they were before, and are the same rows once they are unpacked", async () => {
    let packedRows = 0;
    await fc.assert(
      fc.asyncProperty(fc.tuple(metric, metric), async (drawn) => {
        const metrics = drawn.map(([isPlain, all]) => toRows({ isPlain, all }));
        const run = await store(metrics);
        const before = await readEverything(run);
        expect(before.all).toHaveLength(metrics.flat().length);
        await pack(run);
        const counted = await countRows(run.uid);
        expect(counted.rows).toBe(0);
        packedRows += counted.packed;
        // The end of the run is shown, and decides when it is packed.
        await end(run.uid, null);
        expect(await readEverything(run)).toEqual(before);
        await unpack(run);
        expect(await countRows(run.uid)).toEqual({ rows: before.all.length, packed: 0 });
        expect(await readEverything(run)).toEqual(before);
      }),
      { numRuns: 20 },
    );
    expect(packedRows).toBeGreaterThan(20);
  });

  it("of a long metric are several rows, of which a page unpacks one", async () => {
    const run = await store([
      Array.from({ length: 2500 }, (_, index) => ({
        ...{
          seq: index + 1,
          phase: index % 7 === 0 ? "F" : "S",
          parsed: index / 7,
          parsed_kind: "n",
          value: "",
          message: "",
        },
        ...{ superseded: false, escaped: false, metadata: "" },
        started_at: new Date(begin + index * 10_000).toISOString(),
        finished_at: new Date(begin + index * 10_000 + 1000).toISOString(),
      })),
    ]);
    const pages = ["limit=400", "limit=900&order=desc", "limit=500&only=unsuccessful", "points=100"];
    const before = await readEverything(run, pages);
    await pack(run);
    expect(await countRows(run.uid)).toEqual({ rows: 0, packed: 3 });
    await end(run.uid, null);
    expect(await readEverything(run, pages)).toEqual(before);
  });

  it("are found by the number of their metric, by an index of either form", async () => {
    const plans = [
      "SELECT * FROM recorded_measurement WHERE metric_id = 1",
      "SELECT * FROM recorded_measurement WHERE metric_id = ANY('{1,2}'::int8[])",
      `SELECT n.count FROM metric t CROSS JOIN LATERAL
         (SELECT count(*) FROM recorded_measurement m WHERE m.metric_id = t.id AND NOT m.superseded) n WHERE t.id = 1`,
      `SELECT m.* FROM metric t CROSS JOIN LATERAL
         (SELECT * FROM recorded_measurement m WHERE m.metric_id = t.id OFFSET 0) m WHERE t.id = 1`,
      "SELECT * FROM recorded_measurement WHERE metric_id = 1 AND last_seq >= 5 AND (seq, started_at) > (5, now()) ORDER BY seq, started_at LIMIT 5",
    ];
    await recorded.client.query("BEGIN; SET LOCAL enable_seqscan = off");
    for (const plan of plans) {
      const { rows } = await recorded.client.query<{ "QUERY PLAN": string }>(`EXPLAIN ${plan}`);
      const text = rows.map((row) => row["QUERY PLAN"]).join("\n");
      expect(text).toContain("packed_measurement_pkey");
      expect(text).toContain("measurement_default_pkey");
      // The function is not called for rows: it is part of the plan.
      expect(text).not.toContain("Function Scan on unpack_measurements");
      expect(text).not.toContain("Seq Scan");
    }
    await recorded.client.query("ROLLBACK");
  });
});

describe("packing", () => {
  const twoRuns = async () => {
    const rows = toRows({
      isPlain: true,
      all: fc.sample(fc.array(measurement, { minLength: 9, maxLength: 9 }), 1)[0] ?? [],
    });
    return [await store([rows, rows]), await store([rows])] as const;
  };

  it("that dies before or after any statement loses and doubles nothing", async () => {
    const counting = createFuse();
    const runs = await twoRuns();
    const before = await readAll(runs);
    for (const run of runs) await pack(run, createCrashingPool(recorder, counting));
    expect(counting.steps()).toBeGreaterThan(6);
    for (let step = 1; step <= counting.steps(); step++)
      for (const when of ["before", "after"] as const) {
        for (const run of runs) await unpack(run);
        const crashing = createCrashingPool(recorder, createFuse({ step, when }));
        for (const run of runs) await pack(run, crashing).catch(() => {});
        expect(await readAll(runs)).toEqual(before);
        for (const run of runs) await pack(run);
        expect(await readAll(runs)).toEqual(before);
        for (const { uid } of runs) expect((await countRows(uid)).rows).toBe(0);
      }
  });

  it("leaves runs that are not over for 30 days, and takes those that vanished before they ended", async () => {
    const [ended, gone] = await twoRuns();
    await end(ended.uid, 29);
    await recorded.client.query(
      "UPDATE analysis_run SET presence = 'unobserved', gone_at = now() - interval '31 days' WHERE uid = $1",
      [gone.uid],
    );
    await packAll();
    expect((await countRows(ended.uid)).packed).toBe(0);
    expect((await countRows(gone.uid)).rows).toBe(0);
  });

  it("by two recorders at once packs each run once", async () => {
    const runs = [...(await twoRuns()), ...(await twoRuns())];
    const before = await readAll(runs);
    for (const { uid } of runs) await end(uid, 31);
    await Promise.all([packAll(), packAll()]);
    expect(await readAll(runs)).toEqual(before);
    for (const { uid } of runs) expect((await countRows(uid)).rows).toBe(0);
  });

  it("finds what a vanished run had measured", async () => {
    const [run] = await twoRuns();
    await pack(run);
    await end(run.uid, null);
    await recorded.client.query("UPDATE metric SET phase = 'Running', count = 2 WHERE run_uid = $1", [run.uid]);
    await inTransaction(recorder, (tx) => insertOpenGaps(tx, [run.uid]));
    const { rows } = await recorded.client.query(
      "SELECT after_seq FROM measurement_gap g JOIN metric t ON t.id = g.metric_id WHERE t.run_uid = $1 AND open ORDER BY t.ord",
      [run.uid],
    );
    // The other metric has a gap there already.
    expect(rows).toEqual([{ after_seq: 9 }]);
  });
});

describe("a month whose measurements are packed", () => {
  it("is dropped, and the few others move to the default partition", async () => {
    const { client } = recorded;
    await client.query("SELECT ensure_measurement_partition('1980-05-01')");
    await client.query("SELECT ensure_measurement_partition(now()::date)");
    const put = `INSERT INTO measurement (metric_id, seq, started_at, phase, parsed_kind) VALUES ($1, 1, '1980-05-03', 'S', 'e')
      RETURNING tableoid::regclass::text AS part`;
    expect((await client.query(put, [-1])).rows).toEqual([{ part: "measurement_1980_05" }]);
    const drop = "SELECT drop_packed_measurement_partition($1) AS gone";
    expect((await recorder.query(drop, ["1980-05-17"])).rows).toEqual([{ gone: true }]);
    expect((await recorder.query(drop, ["1980-05-17"])).rows).toEqual([{ gone: false }]);
    // It is not over.
    expect((await recorder.query(drop, [new Date()])).rows).toEqual([{ gone: false }]);
    const found = await client.query("SELECT tableoid::regclass::text AS part FROM measurement WHERE metric_id = -1");
    expect(found.rows).toEqual([{ part: "measurement_default" }]);
  });
});
