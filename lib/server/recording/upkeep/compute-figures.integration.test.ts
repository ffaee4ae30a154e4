import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commitTimeAnnotation } from "#lib/domain/insights/release-times.ts";
import { successRate, USUAL } from "#sandbox/scenarios/metrics.ts";
import { analysisOf } from "#sandbox/scenarios/scenario-objects.ts";
import type { Scenario } from "#sandbox/scenarios/scenario-types.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { playStory, type StoryCluster } from "#test/oversight/play-story.ts";
import { recordEntries, type WatchEvent } from "#test/record-entries.ts";
import { createTestPool } from "#test/test-pool.ts";
import { computeDueReleaseFigures } from "./compute-release-figures.ts";
import { computeDueRunFigures } from "./compute-run-figures.ts";

let database: TestDatabase;
let pool: Pool;
let owner: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createTestPool(database.recorderUrl, 2);
  owner = createTestPool(database.ownerUrl, 2);
});
afterAll(async () => {
  await Promise.all([pool.end(), owner.end()]);
  await database.drop();
});

/** Measures values that neither succeed nor fail, at half of the pods. */
const undecided: Scenario = {
  namespace: "shop",
  name: "app",
  image: "registry.internal/shop/app",
  version: "v1",
  replicas: 4,
  baseline: USUAL,
  behaviours: [{ version: "v2", metrics: { "success-rate": { center: 0.92, spread: 0.01 } } }],
  strategy: { steps: [{ setWeight: 50 }, { analysis: analysisOf("app", "slo") }] },
  templates: [
    {
      name: "slo",
      metrics: [successRate({ interval: "1s", count: 5, failureLimit: 1, inconclusiveLimit: 1 })],
    },
  ],
  script: [{ when: "healthy", act: { release: "v2" } }],
};

async function acceptAfterTwoMinutes({ pass, patchAsPerson, world, key }: StoryCluster): Promise<void> {
  await pass(120);
  const { currentStepIndex } = world.rollout(key).status;
  patchAsPerson({ pauseConditions: null, currentStepIndex: (currentStepIndex ?? 0) + 1 });
  await pass(60);
}

async function record(cluster: string, number: number, change: (events: WatchEvent[]) => WatchEvent[] = (all) => all) {
  const story = { rule: "", name: "", found: [], scenario: undecided, play: acceptAfterTwoMinutes };
  const { events } = await playStory(story, number);
  await recordEntries(pool, cluster, change(events));
}

type StoredRelease = { state: string; waiting_seconds: number | null; committed_at: Date | null; is_due: boolean };

async function readRelease(cluster: string): Promise<StoredRelease | undefined> {
  const { rows } = await owner.query<StoredRelease>(
    `SELECT state, waiting_seconds, committed_at, figured_at IS DISTINCT FROM l.updated_at AS is_due
     FROM release l JOIN rollout r ON r.id = l.rollout_id WHERE r.cluster = $1 AND l.revision = 2`,
    [cluster],
  );
  return rows[0];
}

const readWaits = async (cluster: string) =>
  (
    await owner.query<{ activity: string; run: string | null; seconds: number }>(
      `SELECT w.activity, a.phase AS run, extract(epoch FROM w.to_at - w.from_at)::float8 AS seconds
       FROM release_wait w JOIN release l ON l.id = w.release_id JOIN rollout r ON r.id = l.rollout_id
       LEFT JOIN analysis_run a ON a.name = w.run_name AND a.cluster = r.cluster WHERE r.cluster = $1 ORDER BY w.ord`,
      [cluster],
    )
  ).rows;

describe("the figures of a recorded story", () => {
  beforeAll(async () => {
    await record("figured", 301);
    expect(await computeDueReleaseFigures(pool)).toBeGreaterThan(0);
    expect(await computeDueRunFigures(pool)).toBe(1);
  });

  it("are how long a release waited, and for which run", async () => {
    const waits = await readWaits("figured");
    expect(waits).toMatchObject([{ activity: "waiting", run: "Inconclusive" }]);
    expect(waits[0]?.seconds).toBeGreaterThan(60);
    expect(await readRelease("figured")).toMatchObject({
      ...{ state: "promoted", is_due: false, committed_at: null },
      waiting_seconds: waits[0]?.seconds,
    });
  });

  it("are the template of each metric, and how far its values were from the limits", async () => {
    const { rows } = await owner.query(
      `SELECT t.name, t.nans, t.margin_median, t.margin_low, t.template_kind, t.template_namespace, t.template_name
       FROM metric t JOIN analysis_run a ON a.uid = t.run_uid WHERE a.cluster = 'figured'`,
    );
    expect(rows).toMatchObject([
      {
        name: "success-rate",
        nans: 0,
        template_kind: "AnalysisTemplate",
        template_namespace: "shop",
        template_name: "slo",
      },
    ]);
    // Between 0.90 and 0.95, the nearest limit is at most 0.025 away.
    expect(rows[0].margin_median).toBeGreaterThan(0);
    expect(rows[0].margin_median).toBeLessThanOrEqual(0.025);
    expect(rows[0].margin_low).toBeLessThanOrEqual(rows[0].margin_median);
  });

  it("are computed once, and again if the row changes", async () => {
    expect(await computeDueReleaseFigures(pool)).toBe(0);
    expect(await computeDueRunFigures(pool)).toBe(0);
    const before = await readWaits("figured");
    await owner.query("UPDATE release SET updated_at = updated_at + interval '1 microsecond', waiting_seconds = 1");
    await owner.query("UPDATE analysis_run SET resource_version = resource_version || '0'");
    expect(await computeDueReleaseFigures(pool)).toBeGreaterThan(0);
    expect(await computeDueRunFigures(pool)).toBe(1);
    expect(await readWaits("figured")).toEqual(before);
    expect((await readRelease("figured"))?.waiting_seconds).toBe(before[0]?.seconds);
  });

  it("stay if retention has removed what they were computed from", async () => {
    const before = await readRelease("figured");
    const margins = "SELECT name, nans, margin_median, margin_low, template_name FROM metric ORDER BY run_uid, name";
    const { rows: kept } = await owner.query(margins);
    await owner.query("DELETE FROM observation; DELETE FROM measurement");
    await owner.query("UPDATE analysis_run SET measurements_expired = true, figures_version = NULL");
    await owner.query("UPDATE release SET figured_at = NULL");
    await computeDueReleaseFigures(pool);
    await computeDueRunFigures(pool);
    expect(await readRelease("figured")).toEqual(before);
    expect((await owner.query(margins)).rows).toEqual(kept);
  });

  it("are unknown if nothing was observed", async () => {
    await owner.query("UPDATE release SET figured_at = NULL, waiting_seconds = NULL");
    await computeDueReleaseFigures(pool);
    expect(await readRelease("figured")).toMatchObject({ waiting_seconds: null, is_due: false });
  });
});

it("a commit time comes from the annotation of the rollout", async () => {
  const committed = "2026-09-07T08:30:00.000Z";
  await record("annotated", 302, (events) =>
    events.map((event) => {
      const object = event.object as { metadata: { annotations?: Record<string, string> } };
      const annotations = { ...object.metadata.annotations, [commitTimeAnnotation]: committed };
      return event.kind === "Rollout"
        ? { ...event, object: { ...object, metadata: { ...object.metadata, annotations } } }
        : event;
    }),
  );
  await computeDueReleaseFigures(pool);
  expect((await readRelease("annotated"))?.committed_at?.toISOString()).toBe(committed);
});
