import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runUpkeep } from "#lib/server/edge/recorder-process/run-upkeep.ts";
import { readRetentionState } from "#lib/server/recording/retention/retention-lock.ts";
import { previewRetention, type RetentionResult, runRetention } from "#lib/server/recording/retention/run-retention.ts";
import { storedMeasurements } from "#test/measurement-rows.ts";
import { measurements, sampleRun } from "#test/recorder-samples.ts";
import { waitFor } from "#test/recorder-world.ts";
import { configOf, type FollowedConfig, followConfig } from "./follow-config.ts";
import { createFailClosedWorld, type FailClosedWorld, type ProbedRecorder } from "./world.ts";

let world: FailClosedWorld;
let config: FollowedConfig;
let recorder: ProbedRecorder;
beforeEach(async () => {
  world = await createFailClosedWorld();
  config = await followConfig(world, configOf(world));
  // Keep holds: confirmed within a second, a disappearance would be believed before the job runs.
  recorder = await world.start({ timing: { confirmAfterMs: [600_000, 600_000] } });
});
afterEach(async () => {
  world.fault("none");
  await config.close();
  await world.close();
});

const manager = { manager: "rollouts-controller" };

/** Records an old run, and more recent measurements than it has, and removes the run from the cluster. */
async function recordOldRun(): Promise<string> {
  const { store } = world.sandbox;
  const run = (name: string, days: number, count: number) => {
    const shift = (text: unknown): string => new Date(Date.parse(String(text)) - days * 86_400_000).toISOString();
    const list = measurements(1, count).map((each) => ({
      ...each,
      startedAt: shift(new Date().toISOString()),
      finishedAt: shift(new Date().toISOString()),
    }));
    // Each has its own start: equal ones would contradict the counters.
    for (const [index, each] of list.entries())
      each.startedAt = new Date(Date.parse(each.startedAt) + index * 1000).toISOString();
    return store.create(
      "analysisruns",
      sampleRun({ name, phase: "Successful", metrics: [{ name: "m", measurements: list, count }] }),
      manager,
    );
  };
  run("young", 0, 9);
  const { uid } = run("old", 500, 5).metadata;
  await waitFor("the measurements", async () => (await world.query("SELECT FROM recorded_measurement")).length === 14);
  store.delete("analysisruns", "shop", "old");
  await waitFor("the deletion", async () => (await presenceOf(uid)) === "deleted");
  return uid;
}

const presenceOf = async (uid: string): Promise<unknown> =>
  (await world.query("SELECT presence FROM analysis_run WHERE uid = $1", [uid]))[0]?.presence;
const countOf = async (uid: string): Promise<number> =>
  (await world.query(`SELECT FROM ${storedMeasurements()} WHERE run_uid = $1`, [uid])).length;
const stateOf = async (resource: string): Promise<unknown> =>
  (await world.query("SELECT state FROM source WHERE resource = $1", [resource]))[0]?.state;

function retain(override?: { reason: string }): Promise<RetentionResult> {
  return runRetention({
    pool: recorder.pool,
    config: config.store.current().config,
    configTrouble: config.store.status().trouble?.error,
    holder: randomUUID(),
    ...(override === undefined ? {} : { override }),
    onDeleted: (table, rows) => recorder.metrics.retentionRows.inc({ table }, rows),
  });
}

async function expectRefused(says: RegExp): Promise<void> {
  const deleted = await world.metricDelta("gatehouse_retention_rows_total");
  // The recorder may write between two looks. If the job wrote anything, the rows would differ each time.
  for (let look = 1; ; look++) {
    const rows = await world.rows();
    const result = await retain();
    expect(result.outcome).toBe("refused");
    expect(result.obstacles.map(({ text }) => text).join("; ")).toMatch(says);
    const now = await world.rows();
    if (look < 5 && !isDeepStrictEqual(now, rows)) continue;
    expect(now).toEqual(rows);
    break;
  }
  expect(await deleted()).toBe(0);
  const probes = await world.probes();
  expect([probes.web.livez, probes.web.readyz, probes.recorder.livez, probes.recorder.readyz]).toEqual([
    200, 200, 200, 200,
  ]);
}

describe("FC-30 the retention job", () => {
  it("deletes by age in the recorder's upkeep; the run stays, marked, and is no gap", async () => {
    const uid = await recordOldRun();
    const deleted = await world.metricDelta("gatehouse_retention_rows_total", { table: "measurement" });
    // A pass that finds an obstacle, such as a source that is late on a busy machine, is repeated only after an hour.
    await waitFor("no obstacle", async () => {
      const asked = { pool: recorder.pool, config: config.store.current().config, configTrouble: undefined };
      return (await previewRetention(asked)).obstacles.length === 0;
    });
    const stop = new AbortController();
    const upkeep = runUpkeep(
      {
        pool: recorder.pool,
        metrics: recorder.metrics,
        monitor: recorder.monitor,
        log: pino({ level: "silent" }),
        holder: "upkeep of the test",
        clusterFor: () => undefined,
        store: config.store,
        evaluations: { run: async () => ({ refused: "busy" }) },
        retentionAfterMs: 0,
      },
      stop.signal,
    );
    await waitFor("the deletion", async () => (await readRetentionState(recorder.pool)).state?.outcome === "deleted");
    stop.abort();
    await upkeep;
    expect([await countOf(uid), await deleted()]).toEqual([0, 5]);
    const run = await world.call("GET", `/api/v1/analysis-runs/${uid}`, { as: "viewer" });
    expect(run).toMatchObject({ status: 200, body: { measurementsExpired: true, phase: "Successful" } });
    expect(run.body.metrics).toEqual([expect.objectContaining({ name: "m", gaps: [] })]);
    expect(await world.query("SELECT FROM recorded_measurement")).toHaveLength(9);
    expect((await readRetentionState(recorder.pool)).isDue).toBe(false);
    const audited = await world.query("SELECT code, source, outcome FROM audit_entry WHERE code LIKE 'retention.%'");
    expect(audited).toEqual([
      { code: "retention.deleted", source: "system", outcome: "intent" },
      { code: "retention.deleted", source: "system", outcome: "applied" },
    ]);
  });

  it("never deletes because an object is missing", async () => {
    const uid = await recordOldRun();
    world.sandbox.store.delete("analysisruns", "shop", "young");
    await waitFor(
      "its end",
      async () => (await world.query("SELECT FROM analysis_run WHERE presence = 'deleted'")).length === 2,
    );
    expect(await retain()).toMatchObject({ outcome: "deleted", deleted: { measurement: 5 } });
    expect([await countOf(uid), (await world.query("SELECT FROM recorded_measurement")).length]).toEqual([0, 9]);
  });

  const unsettled: { name: string; fault: "403" | "stall" | "drop" | "empty"; resource: string; state: RegExp }[] = [
    { name: "denied for less than a day", fault: "403", resource: "rollouts", state: /^denied$/ },
    { name: "stale", fault: "stall", resource: "rollouts", state: /^stale$/ },
  ];
  it.each(unsettled)("refuses while a source is $name", async ({ fault, resource, state }) => {
    await recordOldRun();
    world.fault(fault, resource);
    await waitFor("the state", async () => state.test(String(await stateOf(resource))));
    await expectRefused(new RegExp(`Rollout is ${state.source.slice(1, -1)}`));
  });

  it("refuses while a disappearance is held", async () => {
    for (let index = 0; index < 6; index++) world.addRollout(`rollout-${index}`);
    await waitFor("the rollouts", async () => (await world.query("SELECT FROM rollout")).length === 6);
    await recordOldRun();
    world.fault("empty", "rollouts");
    await world.relist("rollouts");
    await waitFor("the suspicion", async () => (await stateOf("rollouts")) === "suspect");
    await expectRefused(/Rollout is suspect/);
  });

  it("refuses on a config error", async () => {
    await recordOldRun();
    await config.put("clusters: [");
    await expectRefused(/the config: .*gatehouse\.yaml:1:/);
  });

  it("refuses an implausible share, unless overridden with a reason, which is audited first", async () => {
    const uid = await recordOldRun();
    await world.query("DELETE FROM measurement USING metric WHERE id = metric_id AND run_uid <> $1 AND seq > 4", [uid]);
    await expectRefused(/5 of 9 measurements would go, more than 50 %/);
    expect(await retain({ reason: "moved to another store" })).toMatchObject({ outcome: "deleted" });
    expect(await countOf(uid)).toBe(0);
    const entries = await world.query<{ entry: string }>(
      "SELECT entry FROM audit_entry WHERE code LIKE 'retention.%' ORDER BY seq",
    );
    expect(entries.map(({ entry }) => JSON.parse(entry))).toMatchObject([
      {
        code: "retention.overridden",
        reason: "moved to another store",
        detail: { obstacles: [expect.stringMatching(/5 of 9/)] },
      },
      { code: "retention.deleted", outcome: "intent" },
      { code: "retention.deleted", outcome: "applied", detail: { rows: { measurement: 5 } } },
    ]);
  });

  const settled: { name: string; settle(): Promise<unknown> }[] = [
    {
      name: "a kind that the cluster does not have",
      settle: async () => {
        world.fault("404", "experiments");
        await waitFor("the state", async () => (await stateOf("experiments")) === "absent");
      },
    },
    {
      name: "denied for longer than a day",
      settle: async () => {
        world.fault("403", "experiments");
        await waitFor("the state", async () => (await stateOf("experiments")) === "denied");
        // While it is denied, nothing is heard of it, so this stays.
        await world.query(
          `UPDATE source SET watch_contact_at = now() - interval '25 hours', read_contact_at = now() - interval '25 hours'
            WHERE resource = 'experiments'`,
        );
      },
    },
    {
      name: "a cluster that the config names no more",
      settle: () =>
        world.query(
          `WITH known AS (INSERT INTO cluster (name) VALUES ('removed'))
           INSERT INTO source (id, cluster, resource, kind, state)
           VALUES ('removed/rollouts', 'removed', 'rollouts', 'Rollout', 'error')`,
        ),
    },
  ];
  it.each(settled)("is not held up by $name", async ({ settle }) => {
    const uid = await recordOldRun();
    await settle();
    expect((await retain()).obstacles).toEqual([]);
    expect(await countOf(uid)).toBe(0);
  });
});
