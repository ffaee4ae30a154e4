import type { Pool } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { createRolloutWriter } from "#lib/server/recording/kinds/write-rollouts.ts";
import { addCluster } from "#test/add-cluster.ts";
import { Crash, type CrashPoint, createCrashingPool, createFuse, type Fuse } from "#test/crashing-pool.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { readRealStream, statesOf } from "#test/real-streams.ts";
import { createTestPool } from "#test/test-pool.ts";
import { markChanged } from "./mark-changed.ts";
import { notifyOfFindings } from "./notify-of-findings.ts";
import { reviewFindings } from "./review-findings.ts";

/** The recorder dies at every statement of its look at a rollout, and starts again. */

let database: TestDatabase;
let pool: Pool;
let owner: Pool;
let now: Date;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createTestPool(database.recorderUrl, 2);
  owner = createTestPool(database.ownerUrl, 1);
  now = await record();
});
afterAll(async () => {
  await Promise.all([pool.end(), owner.end()]);
  await database.drop();
});

/** Records a rollout whose Inconclusive result the real controller ignored. Resolves with when that ended. */
async function record(): Promise<Date> {
  const source = sourcesOf({ name: "real" }).find(({ kind }) => kind === "Rollout");
  if (source === undefined) throw new Error("rollouts are not watched");
  await addCluster(pool, source.cluster);
  const writer = createRolloutWriter(source);
  const lines = readRealStream("background-inconclusive/bg2-gate0");
  const times = new Map(lines.map(({ at, object }) => [object.metadata.resourceVersion, new Date(at)]));
  let last = new Date(0);
  for (const object of statesOf(lines, "Rollout", "bg2-gate0")) {
    const { uid, resourceVersion } = object.metadata;
    last = times.get(resourceVersion) ?? last;
    const entry = { op: "upsert" as const, uid, resourceVersion, object, receivedAt: last };
    await inTransaction(pool, async (tx) => (await writer.write(tx, [entry])).committed());
  }
  return new Date(last.getTime() + 3_600_000);
}

async function forget(): Promise<void> {
  await owner.query("TRUNCATE finding, rollout_review, change_place, notifiable_event");
  await owner.query("UPDATE rollout SET open_findings = 0, worst_finding = NULL, worst_finding_since = NULL");
}

/** Looks as the recorder's upkeep does, once, until the process dies. */
async function live(fuse: Fuse): Promise<void> {
  const own = createCrashingPool(pool, fuse);
  const onError = (error: unknown): void => {
    if (!(error instanceof Crash)) throw error;
  };
  try {
    await markChanged(own);
    await reviewFindings({ pool: own, scopes: [], now, onFindings: notifyOfFindings, onError });
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  }
}

/** Returns the stored rows without their times, and the number of events for each finding. */
async function outcome(): Promise<unknown> {
  const findings = await owner.query(
    "SELECT id, rule, severity, title, closed_at IS NULL AS open FROM finding ORDER BY id",
  );
  const reported = await owner.query(
    "SELECT path, kind, count(*)::int AS times FROM notifiable_event GROUP BY 1, 2 ORDER BY 1, 2",
  );
  const rollouts = await owner.query("SELECT open_findings, worst_finding FROM rollout");
  return { findings: findings.rows, reported: reported.rows, rollouts: rollouts.rows };
}

it("finds the same, and tells of each finding once, wherever the recorder dies", async () => {
  await forget();
  const whole = createFuse();
  await live(whole);
  const expected = await outcome();
  expect(expected).toMatchObject({
    findings: [{ open: true }, { open: true }],
    reported: [
      { kind: "finding-opened", times: 1 },
      { kind: "finding-opened", times: 1 },
    ],
    rollouts: [{ open_findings: 2, worst_finding: "critical" }],
  });
  const points = Array.from({ length: whole.steps() }, (_, index) => index + 1).flatMap((step): CrashPoint[] => [
    { step, when: "before" },
    { step, when: "after" },
  ]);
  for (const point of points) {
    await forget();
    const fuse = createFuse(point);
    await live(fuse);
    expect(fuse.isBlown(), JSON.stringify(point)).toBe(true);
    await live(createFuse());
    expect(await outcome(), JSON.stringify(point)).toEqual(expected);
  }
});
