import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { createKindWriter } from "#lib/server/recording/kinds/create-kind-writer.ts";
import { createSourceWriter } from "#lib/server/recording/session/source-writer.ts";
import type { ObjectEntry } from "#lib/server/recording/store/batch-types.ts";
import { acquireLease } from "#lib/server/recording/store/lease.ts";
import { createRecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";
import { openSource } from "#lib/server/recording/store/source-row.ts";
import { loadDueRuns, loadRecordedRun } from "#lib/server/recording/upkeep/load-recorded-run.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { storedGaps, storedMeasurements } from "#test/measurement-rows.ts";
import { measurements, sampleRun } from "#test/recorder-samples.ts";
import { createTestPool } from "#test/test-pool.ts";

let database: TestDatabase;
let owner: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = createTestPool(database.ownerUrl);
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

let version = 0;
function entryOf(name: string, metrics: { name: string; from?: number; count: number }[], end = false): ObjectEntry {
  const object = sampleRun({
    name,
    phase: end ? "Successful" : "Running",
    metrics: metrics.map(({ name: metric, from = 1, count }) => {
      return { name: metric, count, measurements: measurements(from, count) };
    }),
  });
  const resourceVersion = String(++version);
  const metadata = { ...object.metadata, uid: name, resourceVersion };
  const size = JSON.stringify(object).length;
  return {
    op: end ? "deleted" : "upsert",
    uid: name,
    resourceVersion,
    object: { ...object, metadata },
    size,
    receivedAt: new Date(),
  };
}

async function startWriter() {
  const source = sourcesOf({ name: "test" }).find(({ resource }) => resource === "analysisruns");
  if (source === undefined) throw new Error("runs are not watched");
  await inTransaction(owner, (tx) => openSource(tx, { source, staleAfterMs: 60_000 }));
  const lease = await acquireLease(owner, { sourceId: source.id, holder: "me" });
  if (lease === undefined) throw new Error("the lease is another's");
  const poison: string[] = [];
  const writer = createSourceWriter(
    {
      pool: owner,
      source,
      lease,
      writer: createKindWriter(source, createRecorderMetrics()),
      quarantined: new Set(),
      now: () => performance.now(),
      onPoison: ({ entry }) => poison.push(entry.uid),
    },
    { onRetry: (error) => expect.fail(error.message), onEnd: () => {} },
  );
  return { writer, poison };
}

describe("a run that is stored in slices", () => {
  it("is stored whole, and nothing that arrives meanwhile overtakes it", async () => {
    const { writer, poison } = await startWriter();
    const many = Array.from({ length: 700 }, (_, index) => ({ name: `metric-${index}`, count: 2 }));
    const broken = entryOf("broken", [{ name: "m", count: 5000 }]);
    Object.assign(broken.object as object, { status: { metricResults: [{ name: 1 }] } });
    const arriving = [
      entryOf("large", [{ name: "m", count: 9000 }]),
      entryOf("before", [{ name: "m", count: 1 }]),
      entryOf("wide", many),
      broken,
      entryOf("large", [{ name: "m", from: 8001, count: 9500 }]),
      entryOf("after", [{ name: "m", count: 1 }]),
      entryOf("large", [{ name: "m", from: 9001, count: 9600 }], true),
    ];
    for (const entry of arriving) {
      await writer.pushObject(entry);
      // The writer has started on the first; it reaches each of the others at some later point.
      await new Promise((resolve) => setImmediate(resolve));
    }
    await writer.drain();
    await writer.close(0);

    expect(poison).toEqual(["broken"]);
    const { rows } = await owner.query(
      `SELECT run_uid AS uid, count(*)::int AS count, min(seq) AS first, max(seq) AS last,
              bool_and(metric <> 'm' OR value = seq::text) AS "isNumbered"
         FROM ${storedMeasurements()} GROUP BY run_uid ORDER BY run_uid`,
    );
    expect(rows).toEqual([
      { uid: "after", count: 1, first: 1, last: 1, isNumbered: true },
      { uid: "before", count: 1, first: 1, last: 1, isNumbered: true },
      { uid: "large", count: 9600, first: 1, last: 9600, isNumbered: true },
      { uid: "wide", count: 1400, first: 1, last: 2, isNumbered: true },
    ]);
    const runs = await owner.query<{ text: string }>(
      `SELECT r.uid || ' ' || r.presence || ' ' || r.phase || ' ' || (SELECT count(*) FROM metric WHERE run_uid = r.uid)
              || ' ' || (SELECT count(*) FROM ${storedGaps()} WHERE run_uid = r.uid) AS text
         FROM analysis_run r ORDER BY uid`,
    );
    expect(runs.rows.map(({ text }) => text)).toEqual([
      "after live Running 1 0",
      "before live Running 1 0",
      "large deleted Successful 1 0",
      "wide live Running 700 0",
    ]);
    const changes = await owner.query<{ ref: string }>(
      "SELECT ref FROM change_log WHERE kind = 'analysis-run' ORDER BY id",
    );
    expect(changes.rows[0]?.ref).toBe("large");
    const lastOf = (uid: string): number => changes.rows.findLastIndex(({ ref }) => ref === uid);
    expect(lastOf("wide")).toBeGreaterThan(0);
    expect(lastOf("large")).toBeGreaterThanOrEqual(lastOf("wide"));
  });

  it("stands with all its measurements in one transaction", async () => {
    const { rows } = await owner.query(
      `SELECT count(DISTINCT m.xmin::text)::int AS transactions FROM measurement m JOIN metric t ON t.id = m.metric_id
        WHERE t.run_uid = 'large' AND m.seq <= 9000`,
    );
    expect(rows).toEqual([{ transactions: 1 }]);
  });

  it("is read for its check in pages, and whole", async () => {
    const due = (await loadDueRuns(owner, 10)).find(({ uid }) => uid === "large");
    if (due === undefined) throw new Error("the run is not due");
    const run = await loadRecordedRun(owner, due);
    if (typeof run === "string") throw new Error(run);
    expect(run.metrics.map(({ measurements: list }) => list.map(({ seq, value }) => `${seq} ${value}`))).toEqual([
      Array.from({ length: 9600 }, (_, index) => `${index + 1} ${index + 1}`),
    ]);
  });
});
