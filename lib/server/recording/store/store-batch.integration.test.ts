import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SourceKey, sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import { createKindWriter } from "#lib/server/recording/kinds/create-kind-writer.ts";
import { addCluster } from "#test/add-cluster.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { sampleTemplate } from "#test/kind-samples.ts";
import { storedGaps, storedMeasurements } from "#test/measurement-rows.ts";
import { at, measurements, rolloutStatus, sampleRollout, sampleRun } from "#test/recorder-samples.ts";
import { createTestPool } from "#test/test-pool.ts";
import { acquireLease } from "./lease.ts";
import { createRecorderMetrics } from "./recorder-metrics.ts";
import { type QueueItem, storeBatch } from "./store-batch.ts";

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

async function play({ kind, uid, story }: { kind: Kind; uid: string; story: Story }): Promise<string | undefined> {
  const source = sourceOf(kind.resource);
  await addCluster(owner, source.cluster);
  const lease = await acquireLease(owner, { sourceId: source.id, holder: "me" });
  if (lease === undefined) throw new Error("the lease is another's");
  const context = {
    pool: owner,
    source,
    lease,
    writer: createKindWriter(source, createRecorderMetrics()),
    quarantined: new Set<string>(),
    now: () => 0,
    onPoison: ({ reason }: { reason: string }) => expect.fail(reason),
  };
  const versions = new Map<number, string>();
  for (const batch of story)
    await storeBatch(
      context,
      batch.map((step): QueueItem => {
        if (step === "gone" || step === "other gone")
          return { type: "gone", uids: [step === "gone" ? uid : "other"], presence: "deleted", at: new Date() };
        // A state that is listed again has its earlier version.
        const resourceVersion = versions.get(step) ?? String(versions.size + 1);
        versions.set(step, resourceVersion);
        const object = kind.objectOf(uid, step) as { metadata: object };
        const metadata = { ...object.metadata, uid, resourceVersion, creationTimestamp: at(0) };
        const entry = { op: "upsert" as const, uid, resourceVersion, object: { ...object, metadata } };
        return { type: "object", entry: { ...entry, receivedAt: new Date() } };
      }),
    );
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
