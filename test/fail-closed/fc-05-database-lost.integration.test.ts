import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { storedGaps, storedMeasurements } from "#test/measurement-rows.ts";
import { at, measurements, sampleRun } from "#test/recorder-samples.ts";
import { waitFor } from "#test/recorder-world.ts";
import { type PlayedRun, playRuns } from "#test/short-lived-runs.ts";
import { loseDatabase } from "./lose-database.ts";
import { createFailClosedWorld, type FailClosedWorld, fastTiming } from "./world.ts";

let world: FailClosedWorld;
let restore: (() => Promise<void>) | undefined;
beforeAll(async () => {
  world = await createFailClosedWorld();
});
afterEach(async () => {
  await restore?.();
  restore = undefined;
  world.fault("none");
  await world.stopAll();
});
afterAll(() => world.close());

async function loseIt(): Promise<void> {
  const lost = await loseDatabase(world.database);
  restore = lost.restore;
}

async function giveItBack(): Promise<void> {
  await restore?.();
  restore = undefined;
}

const sourceStates = async (): Promise<Record<string, string>> => {
  const rows = await world.query<{ kind: string; state: string }>("SELECT kind, state FROM source");
  return Object.fromEntries(rows.map(({ kind, state }) => [kind, state]));
};

const isAllLive = async (): Promise<boolean> => Object.values(await sourceStates()).every((state) => state === "live");

async function expectAllRecorded(played: readonly PlayedRun[]): Promise<void> {
  const uids = played.map((run) => run.uid);
  await waitFor("every run", async () => {
    const rows = await world.query(
      "SELECT 1 FROM analysis_run WHERE uid = ANY($1) AND phase = 'Successful' AND presence = 'deleted'",
      [uids],
    );
    return rows.length === uids.length;
  });
  const [row] = await world.query<{ stored: number; lost: number }>(
    `SELECT (SELECT count(*)::int FROM ${storedMeasurements()} WHERE run_uid = ANY($1)) AS stored,
       (SELECT coalesce(sum(count), 0)::int FROM ${storedGaps()} WHERE run_uid = ANY($1)) AS lost`,
    [uids],
  );
  expect(row).toEqual({ stored: played.reduce((sum, run) => sum + run.measured, 0), lost: 0 });
}

describe("FC-05 the database is lost while running", () => {
  it("buffers what the clusters say, reports nothing as stored, acts on nothing, and stores all of it afterwards", async () => {
    const uid = world.addRollout("checkout");
    await world.start();
    const before = await world.rows();
    const look = await world.call("GET", "/api/v1/rollouts/test/shop/Rollout/checkout", { as: "viewer" });
    const { viewDigest, revisionKey } = look.body;
    const seen = { viewDigest, uid, revisionKey };
    const version = world.sandbox.store.get("rollouts", "shop", "checkout")?.metadata.resourceVersion;
    const errors = await world.metricDelta("gatehouse_db_errors_total");
    const dropped = await world.metricDelta("gatehouse_buffer_dropped_total");
    const [epochs] = await world.query<{ sum: string }>("SELECT sum(epoch)::text AS sum FROM source_lease");
    await loseIt();
    const runs = playRuns(world.sandbox.store, { everyMs: 20 });
    await waitFor("a buffer that fills", async () => (await world.metric("gatehouse_buffer_depth")) > 200);
    expect(await world.metric("gatehouse_buffer_bytes", { kind: "AnalysisRun" })).toBeGreaterThan(10_000);
    await waitFor("readiness to end", async () => (await world.probes()).recorder.readyz === 503);
    const { web, recorder } = await world.probes();
    expect([web.livez, web.readyz, recorder.livez, recorder.readyz]).toEqual([200, 503, 200, 503]);
    expect(await world.call("GET", "/api/v1/rollouts", { as: "viewer" })).toMatchObject({
      status: 503,
      body: { code: "unavailable" },
    });
    for (const action of ["continue", "abort"])
      expect(await world.act({ name: "checkout", action, expect: seen })).toMatchObject({ status: 503 });
    expect(world.sandbox.store.get("rollouts", "shop", "checkout")?.metadata.resourceVersion).toBe(version);
    expect(await errors()).toBeGreaterThan(0);
    await giveItBack();
    await expectAllRecorded(runs.stop());
    await waitFor("live sources", isAllLive);
    const after = await world.rows();
    expect(after.rollout).toEqual(before.rollout);
    expect(await dropped()).toBe(0);
    expect(await world.query("SELECT sum(epoch)::text AS sum FROM source_lease")).toEqual([epochs]);
    await waitFor("readiness", async () => (await world.probes()).recorder.readyz === 200);
    expect((await world.probes()).web.readyz).toBe(200);
    await waitFor("an empty buffer", async () => (await world.metric("gatehouse_buffer_depth")) === 0);
    expect(await world.act({ name: "checkout", action: "abort" })).toMatchObject({ status: 202 });
  });

  it("holds the watch back at the bound, and goes on from there: nothing is dropped", async () => {
    await world.start({ buffer: { bound: 20 } });
    const full = await world.metricDelta("gatehouse_buffer_full_total", { kind: "AnalysisRun" });
    const restarts = await world.metricDelta("gatehouse_watch_restarts_total", { kind: "AnalysisRun" });
    await loseIt();
    const runs = playRuns(world.sandbox.store, { everyMs: 10 });
    await waitFor("a full buffer", async () => (await full()) > 0);
    await waitFor("more than it holds", () => runs.count() > 60);
    expect(await world.metric("gatehouse_buffer_depth", { kind: "AnalysisRun" })).toBeLessThanOrEqual(20);
    await giveItBack();
    await expectAllRecorded(runs.stop());
    expect(await restarts()).toBeGreaterThan(0);
    await waitFor("live sources", isAllLive);
  });

  it("holds the watch back at so many bytes, too", async () => {
    await world.start({ buffer: { boundBytes: 20_000 } });
    const full = await world.metricDelta("gatehouse_buffer_full_total", { kind: "AnalysisRun" });
    await loseIt();
    const runs = playRuns(world.sandbox.store, { everyMs: 10 });
    await waitFor("a full buffer", async () => (await full()) > 0);
    expect(await world.metric("gatehouse_buffer_bytes", { kind: "AnalysisRun" })).toBeLessThan(30_000);
    await giveItBack();
    await expectAllRecorded(runs.stop());
  });

  it("stops in order with a full buffer, and the next recorder gets what this one could not store", async () => {
    const recorder = await world.start({ buffer: { bound: 20 } });
    const full = await world.metricDelta("gatehouse_buffer_full_total", { kind: "AnalysisRun" });
    await loseIt();
    const runs = playRuns(world.sandbox.store, { everyMs: 10 });
    await waitFor("a full buffer", async () => (await full()) > 0);
    const stoppedAt = performance.now();
    await recorder.stop();
    expect(performance.now() - stoppedAt).toBeLessThan(8000);
    const { values } = await recorder.metrics.bufferDropped.get();
    expect(values.find(({ labels }) => "kind" in labels && labels.kind === "AnalysisRun")?.value).toBeGreaterThan(0);
    const played = runs.stop();
    await giveItBack();
    await world.start();
    await expectAllRecorded(played);
  });

  it("gets what happened while no recorder ran, though the connection is cut while it catches up", async () => {
    const recorder = await world.start();
    await recorder.stop();
    const runs = playRuns(world.sandbox.store, { everyMs: 10 });
    await waitFor("some runs", () => runs.count() > 20);
    const played = runs.stop();
    const restarts = await world.metricDelta("gatehouse_watch_restarts_total", {
      reason: "unreachable",
      kind: "AnalysisRun",
    });
    world.fault("drop", "analysisruns", { verb: "watch" });
    await world.start({ waitUntilLive: false, timing: { backoffMs: 3000, maxBackoffMs: 3000 } });
    await waitFor("the cut", async () => (await restarts()) > 0);
    world.fault("none");
    await expectAllRecorded(played);
  });

  it("lists anew where the cluster forgot meanwhile: what it still has is stored, what it has not is counted", async () => {
    const name = "long-run";
    const { store } = world.sandbox;
    await world.start({ buffer: { bound: 1 } });
    const run = store.create("analysisruns", unfinished(name), { manager: "rollouts-controller" });
    await waitFor("its first measurements", async () => {
      const rows = await world.query(`SELECT 1 FROM ${storedMeasurements()} WHERE run_uid = $1`, [run.metadata.uid]);
      return rows.length > 0;
    });
    const gone = await world.metricDelta("gatehouse_watch_restarts_total", { reason: "gone", kind: "AnalysisRun" });
    const full = await world.metricDelta("gatehouse_buffer_full_total", { kind: "AnalysisRun" });
    await loseIt();
    const runs = playRuns(store, { everyMs: 10 });
    await waitFor("a full buffer", async () => (await full()) > 0);
    runs.stop();
    const lostAt = performance.now();
    const { watchSeconds, watchGraceMs } = fastTiming;
    await waitFor("that the watch is cut", () => performance.now() - lostAt > watchSeconds * 1000 + watchGraceMs + 500);
    store.delete("analysisruns", "shop", name);
    world.addRollout("meanwhile");
    world.fault("410");
    await giveItBack();
    await waitFor("a new list", async () => (await gone()) > 0);
    world.fault("none");
    await waitFor("the end of the run", async () => {
      const rows = await world.query("SELECT 1 FROM analysis_run WHERE uid = $1 AND presence = 'unobserved'", [
        run.metadata.uid,
      ]);
      return rows.length > 0;
    });
    // The measurement in progress has ended somehow.
    expect(
      await world.query(`SELECT after_seq, count FROM ${storedGaps()} WHERE run_uid = $1`, [run.metadata.uid]),
    ).toEqual([{ after_seq: 2, count: 1 }]);
    const rollouts = await waitFor("the new rollout", async () => {
      const rows = await world.query("SELECT presence FROM rollout WHERE name = 'meanwhile'");
      return rows.length > 0 ? rows : undefined;
    });
    expect(rollouts).toEqual([{ presence: "live" }]);
    await waitFor("live sources", isAllLive);
  });
});

function unfinished(name: string) {
  const started = { phase: "Running", startedAt: at(21) };
  return sampleRun({ name, metrics: [{ name: "m", count: 2, measurements: [...measurements(1, 2), started] }] });
}
