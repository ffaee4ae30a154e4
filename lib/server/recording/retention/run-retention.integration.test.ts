import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import { Config } from "#lib/server/platform/config/config-schema.ts";
import { loadRunStates } from "#lib/server/recording/kinds/run-state.ts";
import { packDueRuns } from "#lib/server/recording/upkeep/pack-runs.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { storedGaps, storedMeasurements } from "#test/measurement-rows.ts";
import { createTestPool } from "#test/test-pool.ts";
import { claimRetention, readRetentionState } from "./retention-lock.ts";
import { previewRetention, type RetentionInput, type RetentionResult, runRetention } from "./run-retention.ts";

let database: TestDatabase;
let owner: Pool;
let recorder: Pool;
beforeEach(async () => {
  database = await createTestDatabase();
  owner = createTestPool(database.ownerUrl);
  recorder = createTestPool(database.recorderUrl, 4);
});
afterEach(async () => {
  await Promise.all([owner.end(), recorder.end()]);
  await database.drop();
});

function input(retention: Record<string, unknown> = {}, configTrouble?: string): RetentionInput {
  const config = Config.parse({
    publicUrl: "http://127.0.0.1:1",
    demo: { accountsFile: "a" },
    clusters: [{ name: "prod", inCluster: true }],
    retention,
  });
  return { pool: recorder, config, configTrouble };
}

const run = (
  options: { retention?: Record<string, unknown>; configTrouble?: string; override?: { reason: string } } = {},
): Promise<RetentionResult> =>
  runRetention({
    ...input(options.retention, options.configTrouble),
    holder: randomUUID(),
    ...(options.override === undefined ? {} : { override: options.override }),
  });

async function addSources(state = "live"): Promise<void> {
  for (const { id, resource, kind } of sourcesOf({ name: "prod" }))
    await owner.query(
      `WITH known AS (INSERT INTO cluster (name) VALUES ('prod') ON CONFLICT DO NOTHING)
       INSERT INTO source (id, cluster, resource, kind, state, watch_contact_at, read_contact_at, stale_after_ms)
       VALUES ($1, 'prod', $2, $3, $4, now(), now(), 3600000)`,
      [id, resource, kind, state],
    );
}

/** Adds a run with one measurement per age in days, numbered from the oldest. */
async function addRun(agesDays: readonly number[], { partitions = true } = {}): Promise<string> {
  const uid = randomUUID();
  const rolloutId = randomUUID();
  const count = agesDays.length;
  await owner.query(
    `INSERT INTO analysis_run (uid, rollout_id, cluster, namespace, name, type, phase, message, spec, resource_version,
       created_at, updated_at) VALUES ($1, $2, 'prod', 'shop', $1, 'step', 'Successful', '', '{}', '1', now(), now())`,
    [uid, rolloutId],
  );
  await owner.query(
    "INSERT INTO metric (rollout_id, run_uid, name, phase, message, count) VALUES ($1, $2, 'm', 'Successful', '', $3)",
    [rolloutId, uid, count],
  );
  for (const [index, age] of agesDays.entries()) {
    if (partitions)
      await owner.query("SELECT ensure_measurement_partition((now() - make_interval(days => $1))::date)", [age]);
    await owner.query(
      `INSERT INTO measurement (metric_id, seq, started_at, finished_at, phase, parsed_kind)
       SELECT id, $2, now() - make_interval(days => $3), now(), 'S', 'e' FROM metric WHERE run_uid = $1`,
      [uid, index + 1, age],
    );
  }
  return uid;
}

const seqsOf = async (uid: string): Promise<number[]> =>
  (
    await owner.query<{ seq: number }>(`SELECT seq FROM ${storedMeasurements()} WHERE run_uid = $1 ORDER BY seq`, [uid])
  ).rows.map(({ seq }) => seq);
const isExpired = async (uid: string): Promise<boolean> =>
  (await owner.query("SELECT measurements_expired AS expired FROM analysis_run WHERE uid = $1", [uid])).rows[0].expired;
const countPartitions = async (): Promise<number> =>
  (await owner.query("SELECT count(*)::int AS count FROM pg_inherits WHERE inhparent = 'measurement'::regclass"))
    .rows[0].count;
const entries = async (): Promise<
  { code: string; outcome?: string; reason?: string; detail: Record<string, unknown> }[]
> => (await owner.query("SELECT entry FROM audit_entry ORDER BY seq")).rows.map(({ entry }) => JSON.parse(entry));

describe("runRetention, as the recorder's role", () => {
  it("drops whole months, deletes the rest of the month in rows, and keeps the runs, marked", async () => {
    await addSources();
    const old = await addRun([700, 690]);
    const mixed = await addRun([500, 401, 399, 1]);
    const young = await addRun([3, 2, 1]);
    const stray = await addRun([900], { partitions: false });
    const before = await countPartitions();
    const preview = await previewRetention(input());
    expect(preview.plan.measurements).toEqual({ due: 5, total: 10 });
    expect(await run()).toMatchObject({ outcome: "deleted", deleted: { measurement: 5 } });
    expect([await seqsOf(old), await seqsOf(mixed), await seqsOf(young), await seqsOf(stray)]).toEqual([
      [],
      [3, 4],
      [1, 2, 3],
      [],
    ]);
    expect(await Promise.all([old, mixed, stray, young].map(isExpired))).toEqual([true, true, true, false]);
    expect(await countPartitions()).toBeLessThan(before);
    expect((await owner.query(`SELECT FROM ${storedGaps()}`)).rowCount).toBe(0);
    expect(await entries()).toMatchObject([
      { code: "retention.deleted", outcome: "intent", detail: { rows: { measurement: 5 } } },
      { code: "retention.deleted", outcome: "applied", detail: { rows: { measurement: 5 } } },
    ]);
    expect(await run()).toMatchObject({ outcome: "nothing" });
  });

  it("deletes packed measurements by the age of each, and packs the others again", async () => {
    await addSources();
    const old = await addRun([700, 690]);
    const mixed = await addRun([500, 401, 399, 1]);
    const young = await addRun([3, 2, 1]);
    await owner.query("UPDATE analysis_run SET completed_at = now() - interval '31 days'");
    await packDueRuns(recorder);
    expect((await owner.query("SELECT FROM measurement")).rowCount).toBe(0);
    expect((await previewRetention(input())).plan.measurements).toEqual({ due: 4, total: 9 });
    expect(await run()).toMatchObject({ outcome: "deleted", deleted: { measurement: 4 } });
    const kept = async () => Promise.all([old, mixed, young].map(seqsOf));
    expect(await kept()).toEqual([[], [3, 4], [1, 2, 3]]);
    expect(await Promise.all([old, mixed, young].map(isExpired))).toEqual([true, true, false]);
    expect((await owner.query("SELECT FROM measurement")).rowCount).toBe(2);
    expect(await packDueRuns(recorder)).toBe(1);
    expect((await owner.query("SELECT FROM measurement")).rowCount).toBe(0);
    expect(await kept()).toEqual([[], [3, 4], [1, 2, 3]]);
    expect(await run()).toMatchObject({ outcome: "nothing" });
  });

  it("does not make the recorder see a gap where measurements have expired", async () => {
    await addSources();
    await addRun([1, 1, 1, 1]);
    const uid = await addRun([500, 499, 498]);
    await run();
    const client = await recorder.connect();
    const states = await loadRunStates(client, [uid]).finally(() => client.release());
    expect(states.get(uid)?.metrics.get("m")).toMatchObject({ lastSeq: 3, newest: undefined });
  });

  it("deletes events and pods that are gone by their own age, and nothing that is there", async () => {
    await addSources();
    const pod =
      "INSERT INTO pod (uid, cluster, namespace, name, phase, ready, containers, ready_containers, restarts, resource_version, created_at, updated_at, gone_at) VALUES ($1, 'prod', 'shop', $1, 'Running', true, 1, 1, 0, '1', now() - interval '900 days', now(), $2)";
    await owner.query(pod, ["there", null]);
    await owner.query(pod, ["gone long ago", new Date(Date.now() - 91 * 86_400_000)]);
    await owner.query(pod, ["gone", new Date(Date.now() - 89 * 86_400_000)]);
    const event = `INSERT INTO kube_event (uid, cluster, namespace, involved_kind, involved_name, involved_uid, type, reason, message, count, first_at, last_at, resource_version)
      VALUES ($1, 'prod', 'shop', 'Rollout', 'a', 'b', 'Normal', 'c', 'd', 1, now() - interval '900 days', now() - make_interval(days => $2), '1')`;
    await owner.query(event, ["old", 91]);
    await owner.query(event, ["young", 89]);
    expect(await run()).toMatchObject({ outcome: "deleted", deleted: { pod: 1, kube_event: 1, measurement: 0 } });
    expect((await owner.query("SELECT uid FROM pod ORDER BY uid")).rows).toEqual([{ uid: "gone" }, { uid: "there" }]);
    expect((await owner.query("SELECT uid FROM kube_event")).rows).toEqual([{ uid: "young" }]);
  });

  it("keeps for ever what is to be kept for ever", async () => {
    await addSources();
    const uid = await addRun([5000]);
    expect(await run({ retention: { measurements: "never" } })).toMatchObject({ outcome: "nothing" });
    expect(await seqsOf(uid)).toEqual([1]);
  });

  it("refuses, or is overridden with a reason that is audited before anything goes", async () => {
    await addSources("syncing");
    const uid = await addRun([500, 1]);
    const before = await previewRetention(input());
    expect(before.obstacles.map(({ code }) => code)).toContain("source");
    expect(await run()).toMatchObject({ outcome: "refused" });
    expect(await seqsOf(uid)).toEqual([1, 2]);
    expect(await entries()).toEqual([]);
    expect((await readRetentionState(recorder)).state).toMatchObject({ outcome: "refused", doneAt: null });
    expect(await run({ override: { reason: "disk is full" } })).toMatchObject({ outcome: "deleted" });
    expect(await seqsOf(uid)).toEqual([2]);
    expect(await entries()).toMatchObject([
      { code: "retention.overridden", reason: "disk is full" },
      { code: "retention.deleted", outcome: "intent" },
      { code: "retention.deleted", outcome: "applied" },
    ]);
  });

  it("does nothing where the audit log cannot be written", async () => {
    await addSources();
    const uid = await addRun([500, 1]);
    await owner.query("REVOKE INSERT ON audit_entry FROM gatehouse_recorder");
    await expect(run()).rejects.toMatchObject({ code: "audit_unavailable" });
    expect(await seqsOf(uid)).toEqual([1, 2]);
    expect((await readRetentionState(recorder)).state).toMatchObject({ outcome: "failed", doneAt: null });
  });

  it("leaves it to whoever is at it already", async () => {
    await addSources();
    expect(await claimRetention(recorder, "another")).toBe(true);
    expect((await run()).outcome).toBe("busy");
    await owner.query("UPDATE retention_run SET expires_at = now() - interval '1 second'");
    expect((await run()).outcome).toBe("nothing");
    expect((await readRetentionState(recorder)).isDue).toBe(false);
  });
});

describe("drop_measurement_partition", () => {
  it.each([
    { name: "a month that the bound lies in", month: "2020-03-01", bound: "2020-03-31T00:00:00Z", error: /from after/ },
    { name: "a bound of today", month: "2020-03-01", bound: new Date().toISOString(), error: /less than a day/ },
  ])("refuses $name", async ({ month, bound, error }) => {
    await owner.query("SELECT ensure_measurement_partition($1)", [month]);
    await expect(recorder.query("SELECT drop_measurement_partition($1, $2)", [month, bound])).rejects.toThrow(error);
  });

  it("drops no other table, whatever month is named", async () => {
    const gone = await recorder.query("SELECT drop_measurement_partition('1970-01-01', '2020-01-01') AS gone");
    expect(gone.rows).toEqual([{ gone: "0" }]);
    await expect(recorder.query("DROP TABLE measurement_default")).rejects.toMatchObject({ code: "42501" });
  });

  it("is not for the web's role", async () => {
    const web = createTestPool(database.webUrl);
    await expect(web.query("SELECT drop_measurement_partition('1970-01-01', '2020-01-01')")).rejects.toMatchObject({
      code: "42501",
    });
    await web.end();
  });
});
