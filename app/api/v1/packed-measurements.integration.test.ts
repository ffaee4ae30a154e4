import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nothingRelated } from "#lib/domain/delivery/related-state.ts";
import { collectEvidence } from "#lib/server/acting/act/collect-evidence.ts";
import { readFactRuns } from "#lib/server/oversight/read-fact-runs.ts";
import { readMeasurementBatch } from "#lib/server/pages/backtest/replay-runs.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { loadStoredMeasurements } from "#lib/server/recording/kinds/known-measurements.ts";
import { loadRunStates } from "#lib/server/recording/kinds/run-state.ts";
import { computeDueRunFigures } from "#lib/server/recording/upkeep/compute-run-figures.ts";
import { loadDueRuns, loadRecordedRun } from "#lib/server/recording/upkeep/load-recorded-run.ts";
import { readCounters } from "#lib/server/records/metric-rows.ts";
import { readNewestValues } from "#lib/server/records/read-newest-values.ts";
import { begin, createPackedWorld, measurement, type PackedWorld, type Stored, toRows } from "#test/packed-world.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import * as earlierRoute from "./analysis-runs/[uid]/earlier/route.ts";
import * as exportRoute from "./analysis-runs/[uid]/export/route.ts";
import * as measurementsRoute from "./analysis-runs/[uid]/measurements/route.ts";
import * as runRoute from "./analysis-runs/[uid]/route.ts";
import * as runsRoute from "./analysis-runs/route.ts";
import * as momentRoute from "./releases/[id]/moment/route.ts";

let web: TestWeb;
let world: PackedWorld;
beforeAll(async () => {
  web = await startTestWeb();
  world = await createPackedWorld(web.database);
});
afterAll(async () => {
  await world.close();
  await web.close();
});

const metric = fc.tuple(fc.boolean(), fc.array(measurement, { maxLength: 25 }));

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
  await world.client.query("UPDATE analysis_run SET figures_version = NULL WHERE uid = $1", [uid]);
  await computeDueRunFigures(world.recorder);
  const figures = await world.client.query(
    "SELECT name, nans, margin_median, margin_low FROM metric WHERE run_uid = $1 ORDER BY name",
    [uid],
  );
  const due = (await loadDueRuns(world.recorder, 10_000)).find((each) => each.uid === uid);
  if (due === undefined) throw new Error("the run is not to be checked");
  const batch = (metricName: string, after: number) =>
    readMeasurementBatch(web.runtime, { runs: [key], metric: metricName, after });
  return {
    all: await world.readAll([{ uid }]),
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
    stored: await inTransaction(world.recorder, (tx) =>
      loadStoredMeasurements(tx, { rolloutId, runUid: uid, metric: "latency", pending: [], marks: [] }),
    ),
    states: await inTransaction(world.recorder, (tx) => loadRunStates(tx, [uid])),
    recordedRun: await loadRecordedRun(world.recorder, due),
    batches: await Promise.all([batch("error-rate", 0), batch("error-rate", 5), batch("latency", 3)]),
    facts: await readFactRuns(world.recorder, { rolloutId, from: new Date(0).toISOString(), limit: 10 }),
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
        const run = await world.store(metrics);
        const before = await readEverything(run);
        expect(before.all).toHaveLength(metrics.flat().length);
        await world.pack(run);
        const counted = await world.countRows(run.uid);
        expect(counted.rows).toBe(0);
        packedRows += counted.packed;
        // The end of the run is shown, and decides when it is packed.
        await world.end(run.uid, null);
        expect(await readEverything(run)).toEqual(before);
        await world.unpack(run);
        expect(await world.countRows(run.uid)).toEqual({ rows: before.all.length, packed: 0 });
        expect(await readEverything(run)).toEqual(before);
      }),
      { numRuns: 20 },
    );
    expect(packedRows).toBeGreaterThan(20);
  });

  it("of a long metric are several rows, of which a page unpacks one", async () => {
    const run = await world.store([
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
    await world.pack(run);
    expect(await world.countRows(run.uid)).toEqual({ rows: 0, packed: 3 });
    await world.end(run.uid, null);
    expect(await readEverything(run, pages)).toEqual(before);
  });

  it("are read if counters and gaps are the largest that the database holds", async () => {
    const metrics = fc.sample(metric, 2).map(([isPlain, all]) => toRows({ isPlain, all }));
    const run = await world.store(metrics);
    const most = 2 ** 31 - 1;
    await world.client.query("UPDATE metric SET count = $2, error = $2 WHERE run_uid = $1", [run.uid, most]);
    const widen = `INSERT INTO measurement_gap (metric_id, after_seq, count)
      SELECT id, $2, $2 FROM metric WHERE run_uid = $1`;
    await world.client.query(widen, [run.uid, most]);
    expect(JSON.parse((await readEverything(run)).list).items).toContainEqual(
      expect.objectContaining({ uid: run.uid, lostMeasurements: 2 * most + 4 }),
    );
    await world.pack(run);
    expect((await world.countRows(run.uid)).rows).toBe(0);
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
    await world.client.query("BEGIN; SET LOCAL enable_seqscan = off");
    for (const plan of plans) {
      const { rows } = await world.client.query<{ "QUERY PLAN": string }>(`EXPLAIN ${plan}`);
      const text = rows.map((row) => row["QUERY PLAN"]).join("\n");
      expect(text).toContain("packed_measurement_pkey");
      expect(text).toContain("measurement_default_pkey");
      // The function is not called for rows: it is part of the plan.
      expect(text).not.toContain("Function Scan on unpack_measurements");
      expect(text).not.toContain("Seq Scan");
    }
    await world.client.query("ROLLBACK");
  });
});
