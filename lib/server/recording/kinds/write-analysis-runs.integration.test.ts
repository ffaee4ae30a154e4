import type { Pool, PoolClient } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import type { KindWriter, ObjectEntry } from "#lib/server/recording/store/batch-types.ts";
import { createRecorderMetrics } from "#lib/server/recording/store/recorder-metrics.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { storedGaps, storedMeasurements } from "#test/measurement-rows.ts";
import { at, measurements, sampleRun } from "#test/recorder-samples.ts";
import { createTestPool } from "#test/test-pool.ts";
import { whileChanging } from "#test/while-changing.ts";
import { createKindWriter } from "./create-kind-writer.ts";
import { markPacked, packMetrics, unpackRuns } from "./packed-measurements.ts";

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

type SeenObject = { measurements: ReturnType<typeof measurements>; count: number };

const three = measurements(1, 3);
const four: SeenObject = { measurements: measurements(1, 4), count: 4 };
const forgotten: SeenObject = { measurements: three, count: 3 };
const inFlight = (start: number): SeenObject => ({
  measurements: [...three, { phase: "Running", startedAt: at(start) }],
  count: 3,
});
const taken = (start: number, value: string): SeenObject => ({
  measurements: [...three, { phase: "Successful", value, startedAt: at(start), finishedAt: at(start + 1) }],
  count: 4,
});

/** Successive states that the controller wrote, and the measurements kept under number 4. */
const histories = [
  {
    name: "its counters go back, and the one taken again is seen in flight",
    seenObjects: [four, inFlight(45), taken(45, "again")],
    kept: ["4 superseded", "again"],
  },
  {
    name: "another one, and back to the one before",
    seenObjects: [four, taken(45, "other"), four],
    kept: ["4", "other superseded"],
  },
  {
    name: "it forgets one and remembers it",
    seenObjects: [four, forgotten, four],
    kept: ["4"],
  },
  {
    name: "it shows in flight what has ended",
    seenObjects: [four, inFlight(40), four],
    kept: ["4"],
  },
  {
    name: "it shows in flight what has ended, and takes it again in the same second",
    seenObjects: [four, inFlight(40), taken(40, "again")],
    kept: ["4 superseded", "again"],
  },
];
const batchings = [
  { how: "one by one", cut: [1, 2], isRestarted: false },
  { how: "one by one, packed in between", cut: [1, 2], isRestarted: false, isPacked: true },
  { how: "one by one, packed in between, with a restart", cut: [1, 2], isRestarted: true, isPacked: true },
  { how: "one by one, with a restart in between", cut: [1, 2], isRestarted: true },
  { how: "in one batch", cut: [], isRestarted: false },
  { how: "the later ones in one batch", cut: [1], isRestarted: false },
];

function startWriter(): KindWriter {
  const source = sourcesOf({ name: "test" }).find(({ resource }) => resource === "analysisruns");
  if (source === undefined) throw new Error("no source");
  return createKindWriter(source, createRecorderMetrics());
}

function toEntry(uid: string, seenObject: SeenObject, version: number): ObjectEntry {
  const resourceVersion = String(version);
  const object = sampleRun({ name: uid, metrics: [{ name: "m", ...seenObject }] });
  const metadata = { ...object.metadata, uid, resourceVersion, creationTimestamp: at(0) };
  return { op: "upsert", uid, resourceVersion, object: { ...object, metadata }, receivedAt: new Date() };
}

async function write(
  uid: string,
  {
    batches,
    isRestarted,
    isPacked,
  }: { batches: readonly (readonly SeenObject[])[]; isRestarted: boolean; isPacked?: boolean | undefined },
): Promise<void> {
  let writer = startWriter();
  let version = 0;
  const client = await owner.connect();
  try {
    for (const batch of batches) {
      if (isRestarted) writer = startWriter();
      const entries = batch.map((seenObject) => toEntry(uid, seenObject, ++version));
      const { poison, committed } = await writer.write(client, entries);
      expect(poison).toEqual([]);
      committed?.();
      if (isPacked) await pack(client, uid);
    }
  } finally {
    client.release();
  }
}

async function pack(client: PoolClient, uid: string): Promise<void> {
  const { rows: metrics } = await client.query("SELECT id, rollout_id FROM metric WHERE run_uid = $1", [uid]);
  const runs = metrics.slice(0, 1).map(({ rollout_id }) => ({ rollout_id, uid }));
  await unpackRuns(client, runs);
  await packMetrics(
    client,
    metrics.map(({ id }) => id),
  );
  await markPacked(client, { runs, packed: true });
}

describe("measurements that a controller behind its time overwrites", () => {
  it.each(histories.flatMap((history) => batchings.map((batching) => ({ ...history, ...batching }))))(
    "are all kept, and the last one counts: $name; $how",
    async ({ name, how, seenObjects, cut, kept, isRestarted, isPacked }) => {
      const bounds = [0, ...cut, seenObjects.length];
      const batches = bounds.slice(1).map((end, index) => seenObjects.slice(bounds[index], end));
      await write(`${name} ${how}`, { batches, isRestarted, isPacked });
      const { rows } = await owner.query<{ text: string }>(
        `SELECT COALESCE(value, 'nothing') || CASE WHEN superseded THEN ' superseded' ELSE '' END AS text
         FROM ${storedMeasurements()} WHERE run_uid = $1 AND seq = 4 ORDER BY started_at`,
        [`${name} ${how}`],
      );
      expect(rows.map(({ text }) => text)).toEqual(kept);
    },
  );
});

describe("a measurement in flight whose end nobody saw", () => {
  const ten = measurements(1, 10);
  const seenObjects: SeenObject[] = [
    { measurements: [...ten, { phase: "Running", startedAt: at(110) }], count: 10 },
    { measurements: [...measurements(21, 30), { phase: "Running", startedAt: at(310) }], count: 30 },
  ];

  it.each(batchings)("counts once, as lost: $how", async ({ how, cut, isRestarted, isPacked }) => {
    const uid = `unseen ${how}`;
    const bounds = [0, ...cut.slice(0, 1), seenObjects.length];
    const batches = bounds.slice(1).map((end, index) => seenObjects.slice(bounds[index], end));
    await write(uid, { batches, isRestarted, isPacked });
    const { rows: stored } = await owner.query<{ seq: number; ended: boolean }>(
      `SELECT seq, finished_at IS NOT NULL AS ended FROM ${storedMeasurements()} WHERE run_uid = $1 ORDER BY seq`,
      [uid],
    );
    expect(stored.map(({ seq, ended }) => (ended ? seq : -seq))).toEqual(
      [...ten, ...measurements(21, 30)].map(({ value }) => Number(value)).concat(-31),
    );
    const { rows: gaps } = await owner.query(`SELECT after_seq, count FROM ${storedGaps("g")} WHERE run_uid = $1`, [
      uid,
    ]);
    expect(gaps).toEqual([{ after_seq: 10, count: 10 }]);
  });
});

describe("what the source of a metric notes", () => {
  const noted = { phase: "Failed", startedAt: at(50), metadata: { "job-name": "check" } };
  const ended = {
    ...noted,
    finishedAt: at(51),
    metadata: { ...noted.metadata, analysis: "The error rate rose. token=hunter2hunter2" },
  };

  it.each(batchings)(
    "is kept with the measurement, redacted, as last seen: $how",
    async ({ how, cut, isRestarted, isPacked }) => {
      const seenObjects = [[noted], [ended], [ended, ...measurements(6, 6)]].map((own) => ({
        measurements: own,
        count: own.filter((one) => "finishedAt" in one).length,
      }));
      const bounds = [0, ...cut, seenObjects.length];
      const batches = bounds.slice(1).map((end, index) => seenObjects.slice(bounds[index], end));
      await write(`noted ${how}`, { batches, isRestarted, isPacked });
      const { rows } = await owner.query(
        `SELECT metadata FROM ${storedMeasurements()} WHERE run_uid = $1 ORDER BY seq`,
        [`noted ${how}`],
      );
      expect(rows).toEqual([
        { metadata: { "job-name": "check", analysis: "The error rate rose. token=[redacted]" } },
        { metadata: null },
      ]);
    },
  );

  it("does not make another measurement of one that was stored without it", async () => {
    const [plain] = measurements(1, 1);
    if (plain === undefined) throw new Error("no measurement");
    const seenObjects = [plain, { ...plain, metadata: { group: "eu" } }].map((one) => ({
      measurements: [one],
      count: 1,
    }));
    await write("noted later", { batches: seenObjects.map((seenObject) => [seenObject]), isRestarted: true });
    const { rows } = await owner.query(
      `SELECT seq, superseded FROM ${storedMeasurements()} WHERE run_uid = 'noted later'`,
    );
    expect(rows).toEqual([{ seq: 1, superseded: false }]);
  });
});

describe("a run that others change at the same time", () => {
  it("is stored all the same: no insert fails at the second unique index, and no update is a deadlock", async () => {
    const uid = "busy";
    const writer = startWriter();
    const store = (version: number) =>
      inTransaction(owner, async (tx) => (await writer.write(tx, [toEntry(uid, four, version)])).committed?.());
    await store(1);
    // As the verdict check and the figures do: the columns are in the conditions of indexes.
    const update = "UPDATE analysis_run SET verdict_check_version = gen_random_uuid()::text WHERE uid = $1";
    await whileChanging(owner, [update, [uid]], async () => {
      for (let version = 2; version < 500; version++) await store(version);
    });
    const { rows } = await owner.query("SELECT resource_version FROM analysis_run WHERE uid = $1", [uid]);
    expect(rows).toEqual([{ resource_version: "499" }]);
  });
});
