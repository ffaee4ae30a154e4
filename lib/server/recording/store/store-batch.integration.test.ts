import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SourceKey, sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { createKindWriter } from "#lib/server/recording/kinds/create-kind-writer.ts";
import { addCluster } from "#test/add-cluster.ts";
import { Crash, type CrashPoint, createCrashingPool, createFuse } from "#test/crashing-pool.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { sampleTemplate } from "#test/kind-samples.ts";
import { storedGaps, storedMeasurements } from "#test/measurement-rows.ts";
import { at, measurements, rolloutStatus, sampleRollout, sampleRun } from "#test/recorder-samples.ts";
import { createTestPool } from "#test/test-pool.ts";
import type { PoisonEntry } from "./batch-types.ts";
import { acquireLease } from "./lease.ts";
import { createRecorderMetrics } from "./recorder-metrics.ts";
import { createRecorderPool } from "./recorder-pool.ts";
import { openSource } from "./source-row.ts";
import { type BatchContext, isRefusedMarksError, type QueueItem, storeBatch } from "./store-batch.ts";

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

/** An object's state as a number, and a word if it is gone. */
type Story = readonly (readonly (number | "gone" | "other gone")[])[];

type Kind = {
  resource: string;
  /** Builds the object called `name` in that state. */
  objectOf(name: string, state: number): object;
  /** Selects a summary of its stored rows. */
  sql: string;
};

const kinds = {
  run: {
    resource: "analysisruns",
    // The controller keeps ten measurements: each state shows the ten that came last.
    objectOf: (name, state) =>
      sampleRun({
        name,
        metrics: [{ name: "m", measurements: measurements(state * 10 - 9, state * 10), count: state * 10 }],
      }),
    sql: `SELECT r.presence || ' ' || (SELECT count(*) FROM ${storedMeasurements("m")} WHERE m.run_uid = r.uid) || ' of '
            || (SELECT count FROM metric WHERE run_uid = r.uid) || ', lost '
            || (SELECT COALESCE(sum(g.count), 0) FROM ${storedGaps("g")} WHERE g.run_uid = r.uid) AS text
            FROM analysis_run r WHERE r.uid = $1`,
  },
  rollout: {
    resource: "rollouts",
    objectOf: (name, state) => ({ ...sampleRollout({ name }), status: rolloutStatus({ currentStepIndex: state % 3 }) }),
    sql: `SELECT r.presence || ' ' || string_agg(o.step::text, ',' ORDER BY o.observed_at) AS text
            FROM rollout r JOIN observation o ON o.rollout_id = r.id WHERE r.uid = $1 GROUP BY r.id`,
  },
  template: {
    resource: "analysistemplates",
    objectOf: (name, state) => sampleTemplate({ name, condition: `result > ${state}` }),
    sql: `SELECT t.presence || ' ' || (SELECT count(*) FROM analysis_template_version v WHERE v.template_uid = t.uid) AS text
            FROM analysis_template t WHERE t.uid = $1`,
  },
} as const satisfies Record<string, Kind>;

const notADay = { ...measurements(20, 20)[0], phase: "Failed", startedAt: "2026-02-30T10:00:00Z", finishedAt: at(1) };

/** What a recorder that has just started knows. */
async function startRecorder(kind: Kind, pool: Pool = owner): Promise<BatchContext> {
  const source = sourceOf(kind.resource);
  await addCluster(owner, source.cluster);
  const lease = await acquireLease(owner, { sourceId: source.id, holder: "me" });
  if (lease === undefined) throw new Error("the lease is another's");
  await inTransaction(owner, (tx) => openSource(tx, { source, staleAfterMs: 60_000 }));
  return {
    pool,
    source,
    lease,
    writer: createKindWriter(source, createRecorderMetrics()),
    quarantined: new Set<string>(),
    now: () => 0,
    onPoison: ({ reason }: { reason: string }) => expect.fail(reason),
  };
}

function itemOf(kind: Kind, { uid, state, version }: { uid: string; state: number; version: string }): QueueItem {
  const object = kind.objectOf(uid, state) as { metadata: object };
  const metadata = { ...object.metadata, uid, resourceVersion: version, creationTimestamp: at(0) };
  const entry = { op: "upsert" as const, uid, resourceVersion: version, object: { ...object, metadata } };
  return { type: "object", entry: { ...entry, receivedAt: new Date() } };
}

async function play({ kind, uid, story }: { kind: Kind; uid: string; story: Story }): Promise<string | undefined> {
  const context = await startRecorder(kind);
  const versions = new Map<number, string>();
  for (const batch of story)
    await storeBatch(
      context,
      batch.map((step): QueueItem => {
        if (step === "gone" || step === "other gone")
          return { type: "gone", uids: [step === "gone" ? uid : "other"], presence: "deleted", at: new Date() };
        // A state that is listed again has its earlier version.
        const version = versions.get(step) ?? String(versions.size + 1);
        versions.set(step, version);
        return itemOf(kind, { uid, state: step, version });
      }),
    );
  return summarize(kind, uid);
}

async function summarize(kind: Kind, uid: string): Promise<string | undefined> {
  const { rows } = await owner.query<{ text: string }>(kind.sql, [uid]);
  return rows[0]?.text;
}

function sourceOf(resource: string): SourceKey {
  const source = sourcesOf({ name: "test" }).find((each) => each.resource === resource);
  if (source === undefined) throw new Error(`${resource} are not watched`);
  return source;
}

const cases: { name: string; kind: keyof typeof kinds; story: Story; stored: string }[] = [
  {
    name: "two sights of a run around what is gone lose no measurement",
    kind: "run",
    story: [[1], [2, "other gone", 3]],
    stored: "live 30 of 30, lost 0",
  },
  {
    name: "a run that is gone after a sight of it is there again when a list shows the same sight",
    kind: "run",
    story: [[1], [2, "gone"], [2]],
    stored: "live 20 of 20, lost 0",
  },
  {
    name: "a run that is gone between two sights of it is there",
    kind: "run",
    story: [[1], [2, "gone", 3]],
    stored: "live 30 of 30, lost 0",
  },
  {
    name: "a run that is gone at the end is gone",
    kind: "run",
    story: [[1], [2, "other gone", 3, "gone"]],
    stored: "deleted 30 of 30, lost 0",
  },
  {
    name: "a rollout that changes and goes back around what is gone has both changes",
    kind: "rollout",
    story: [[0], [1, "other gone", 3]],
    stored: "live 0,1,0",
  },
  {
    name: "a rollout that is gone after a sight of it is there again when a list shows the same sight",
    kind: "rollout",
    story: [[0], [1, "gone"], [1]],
    stored: "live 0,1",
  },
  {
    name: "a template that changes around what is gone has each version once",
    kind: "template",
    story: [[1], [2, "other gone", 3]],
    stored: "live 3",
  },
  {
    name: "a template that is gone after a sight of it is there again when a list shows the same sight",
    kind: "template",
    story: [[1], [2, "gone"], [2]],
    stored: "live 2",
  },
];

describe("a batch with the same object before and after what is gone", () => {
  it.each(cases)("$name", async ({ name, kind, story, stored }) => {
    expect(await play({ kind: kinds[kind], uid: name, story })).toBe(stored);
  });
});

describe("a batch whose recorder dies at one of its statements", () => {
  it.each(["run", "rollout"] as const)(
    "stores all of a %s or nothing, and the next recorder the rest",
    async (name) => {
      const kind = kinds[name];
      const pool = createRecorderPool({ url: database.recorderUrl, onError: () => {} });
      try {
        const stored = { run: ["live 10 of 10, lost 0", "live 20 of 20, lost 0"], rollout: ["live 0", "live 0,1"] }[
          name
        ];
        const points = Array.from({ length: 12 }, (_, index) => index + 1).flatMap((step): CrashPoint[] => [
          { step, when: "before" },
          { step, when: "after" },
        ]);
        for (const point of points) {
          const uid = `${name}-${point.step}-${point.when}`;
          const fuse = createFuse(point);
          const context = await startRecorder(kind, pool);
          await storeBatch(context, [itemOf(kind, { uid, state: name === "run" ? 1 : 0, version: "1" })]);
          const next = itemOf(kind, { uid, state: name === "run" ? 2 : 1, version: "2" });
          const dies = storeBatch({ ...context, pool: createCrashingPool(pool, fuse) }, [next]);
          const hasDied = await dies.then(
            () => false,
            (error: unknown) => error instanceof Crash,
          );
          expect(hasDied, uid).toBe(fuse.isBlown());
          expect(stored, uid).toContain(await summarize(kind, uid));
          await storeBatch(await startRecorder(kind, pool), [next]);
          expect(await summarize(kind, uid)).toBe(stored[1]);
        }
      } finally {
        await pool.end();
      }
    },
  );
});

describe("a batch of runs that is inserted in parts", () => {
  it("stores every version of each run, except for the object that the database refuses", async () => {
    const pool = createRecorderPool({ url: database.recorderUrl, onError: () => {} });
    try {
      const refused: string[] = [];
      const context = {
        ...(await startRecorder(kinds.run, pool)),
        onPoison: ({ entry }: PoisonEntry) => refused.push(entry.uid),
      };
      const uids = Array.from({ length: 200 }, (_, index) => `part-${index}`);
      const versions = [1, 2].flatMap((state) =>
        uids.map((uid) => itemOf(kinds.run, { uid, state, version: String(state) })),
      );
      const noDay: Kind = {
        ...kinds.run,
        objectOf: (name, state) =>
          JSON.parse(JSON.stringify(kinds.run.objectOf(name, state)).replaceAll(at(200), "2026-02-30T10:00:00Z")),
      };
      const items = versions.with(350, itemOf(noDay, { uid: "part-150", state: 2, version: "2" }));
      await storeBatch(context, items);
      expect(refused).toEqual(["part-150"]);
      const { rows } = await owner.query<{ text: string; runs: number }>(
        `SELECT text, count(*)::int AS runs FROM (${kinds.run.sql.replace("r.uid = $1", "r.uid LIKE 'part-%'")}) AS r
           GROUP BY text ORDER BY runs`,
      );
      expect(rows).toEqual([
        { text: "live 10 of 10, lost 0", runs: 1 },
        { text: "live 20 of 20, lost 0", runs: 199 },
      ]);
    } finally {
      await pool.end();
    }
  });
});

describe("a mark that the database refuses", () => {
  const wrong: QueueItem = { type: "mark", update: { resourceVersion: "12", objects: 3, clockSkewMs: -2_592_000_500 } };
  const storedMarks = async ({ source }: BatchContext) => {
    const select = "SELECT resource_version AS version, objects, clock_skew_ms AS skew FROM source WHERE id = $1";
    return (await owner.query(select, [source.id])).rows;
  };

  it.each([
    { name: "alone", batch: [] },
    { name: "behind objects", batch: ["marked-1", "marked-2"] },
    { name: "behind one object", batch: ["marked-3"] },
  ])("is stored without the difference of clocks, and no object goes to quarantine: $name", async ({ batch }) => {
    const refused: Error[] = [];
    const context = { ...(await startRecorder(kinds.run)), onRefusedClock: (error: Error) => refused.push(error) };
    await owner.query("UPDATE source SET clock_skew_ms = 5, resource_version = '1' WHERE id = $1", [context.source.id]);
    await storeBatch(context, [...batch.map((uid) => itemOf(kinds.run, { uid, state: 1, version: "11" })), wrong]);
    expect(refused).toMatchObject([{ code: "22003" }]);
    expect(await storedMarks(context)).toEqual([{ version: "12", objects: 3, skew: 5 }]);
    for (const uid of batch) expect(await summarize(kinds.run, uid)).toBe("live 10 of 10, lost 0");
  });

  it("ends the source if the rest is refused too", async () => {
    const context = await startRecorder(kinds.run);
    const nul: QueueItem = { type: "mark", update: { resourceVersion: "1\0" } };
    await expect(storeBatch(context, [nul])).rejects.toSatisfy(isRefusedMarksError);
  });
});

describe("an object that cannot be stored", () => {
  const unreadable: Kind = { ...kinds.run, objectOf: (name) => ({ ...sampleRun({ name }), status: "none" }) };
  const noDay: Kind = {
    ...kinds.run,
    objectOf: (name) => sampleRun({ name, metrics: [{ name: "m", measurements: [notADay], count: 20 }] }),
  };
  const drifted: Kind = { ...kinds.rollout, objectOf: (name) => ({ ...sampleRollout({ name }), spec: "none" }) };
  const asDeleted = (item: QueueItem): QueueItem =>
    item.type === "object" ? { ...item, entry: { ...item.entry, op: "deleted" } } : item;
  const quarantinedAfter = async (kind: Kind, batches: readonly (readonly QueueItem[])[]) => {
    const context = { ...(await startRecorder(kind)), onPoison: () => {} };
    await owner.query("DELETE FROM quarantine WHERE source_id = $1", [context.source.id]);
    for (const batch of batches) await storeBatch(context, batch);
    const select = "SELECT ref FROM quarantine WHERE source_id = $1";
    const { rows } = await owner.query<{ ref: string }>(select, [context.source.id]);
    expect([...context.quarantined]).toEqual(rows.map(({ ref }) => ref));
    return rows.map(({ ref }) => ref);
  };
  const versionsOf = (uid: string, ...given: readonly Kind[]) =>
    given.map((kind, index) => itemOf(kind, { uid, state: index + 1, version: String(index + 1) }));

  it.each([
    { name: "a run that cannot be read", good: kinds.run, bad: unreadable, stored: "unobserved 10 of 10, lost 0" },
    { name: "a run that the database refuses", good: kinds.run, bad: noDay, stored: "unobserved 10 of 10, lost 0" },
    { name: "a rollout", good: kinds.rollout, bad: drifted, stored: "deleted 1" },
  ])("is gone once it is deleted, and no longer in quarantine: $name", async ({ name, good, bad, stored }) => {
    for (const [uid, cut] of [
      [`${name} later`, 1],
      [`${name} at once`, 2],
    ] as const) {
      const [first, last] = versionsOf(uid, good, bad).map((item, index) => (index === 1 ? asDeleted(item) : item));
      if (first === undefined || last === undefined) throw new Error("there are two versions");
      expect(await quarantinedAfter(good, cut === 1 ? [[first], [last]] : [[first, last]])).toEqual([]);
      expect(await summarize(good, uid)).toBe(stored);
    }
    const { rows } = await owner.query(
      `SELECT DISTINCT after_seq FROM ${storedGaps("g")} WHERE run_uid LIKE $1 AND open`,
      [`${name} %`],
    );
    // What it measured since is unknown.
    expect(rows).toEqual(good === kinds.run ? [{ after_seq: 10 }] : []);
  });

  it("is in quarantine if its last version in a batch is refused", async () => {
    expect(await quarantinedAfter(kinds.run, [versionsOf("healed", unreadable, kinds.run)])).toEqual([]);
    expect(await quarantinedAfter(kinds.run, [versionsOf("healed twice", unreadable, kinds.run, kinds.run)])).toEqual(
      [],
    );
    expect(await quarantinedAfter(kinds.run, [versionsOf("worse", kinds.run, unreadable)])).toEqual(["worse"]);
  });

  it("leaves quarantine when it vanishes", async () => {
    const gone: QueueItem = { type: "gone", uids: ["left"], presence: "unobserved", at: new Date() };
    expect(await quarantinedAfter(kinds.run, [versionsOf("left", kinds.run, unreadable), [gone]])).toEqual([]);
    expect(await summarize(kinds.run, "left")).toBe("unobserved 10 of 10, lost 0");
  });
});

describe("a change of an object that is known", () => {
  it.each(["run", "rollout"] as const)("of a %s is stored in as few round trips as possible", async (name) => {
    const kind = kinds[name];
    const pool = createRecorderPool({ url: database.recorderUrl, onError: () => {} });
    const trips = countRoundTrips(pool);
    try {
      const context = await startRecorder(kind, pool);
      const counts: number[] = [];
      for (const uid of ["trips-1", "trips-2", "trips-3", "trips-4", "trips-5"].map((text) => `${name}-${text}`)) {
        for (const state of [1, 2]) {
          trips.count = 0;
          const item = itemOf(kind, { uid, state, version: String(state) });
          await storeBatch(context, [item, { type: "mark", update: { resourceVersion: String(state) } }]);
        }
        counts.push(trips.count);
      }
      // BEGIN with the fence, what is known, the rows with the change log and the checkpoint, COMMIT. On a busy machine,
      // answers may come before the next statement of the same trip is sent, which counts as one more.
      expect(Math.min(...counts)).toBe(4);
    } finally {
      await pool.end();
    }
  });
});

/** Counts the statements that are sent while none waits for its answer. */
function countRoundTrips(pool: Pool): { count: number } {
  const trips = { count: 0 };
  let waiting = 0;
  pool.on("connect", (client) => {
    const query = client.query.bind(client);
    client.query = (...args: unknown[]) => {
      if (waiting === 0) trips.count += 1;
      waiting += 1;
      const answer: Promise<unknown> = Reflect.apply(query, client, args);
      const end = () => {
        waiting -= 1;
      };
      answer.then(end, end);
      return answer as never;
    };
  });
  return trips;
}
