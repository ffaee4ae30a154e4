import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { storedMeasurements } from "#test/measurement-rows.ts";
import { at, measurements, sampleRun } from "#test/recorder-samples.ts";
import { waitFor } from "#test/recorder-world.ts";
import { createFailClosedWorld, type FailClosedWorld } from "./world.ts";

let world: FailClosedWorld;
beforeAll(async () => {
  world = await createFailClosedWorld();
});
afterEach(async () => {
  world.fault("none");
  await world.stopAll();
});
afterAll(() => world.close());

const manager = { manager: "rollouts-controller" };

/** Expects that a run has the clock difference of when it was first seen: its times are compared with ours by that. */
async function expectStoredSkew(offsetSeconds: number): Promise<void> {
  await waitFor("the skew of runs", async () => {
    const { clockSkewSeconds } = await world.source("AnalysisRun");
    return Math.abs((clockSkewSeconds ?? 0) - offsetSeconds) < 5;
  });
  const run = sampleRun({ name: `skewed-${Math.abs(offsetSeconds)}` });
  const { uid } = world.sandbox.store.create("analysisruns", run, manager).metadata;
  const [row] = await waitFor("the run", async () => {
    const found = await world.query("SELECT clock_skew_ms FROM analysis_run WHERE uid = $1", [uid]);
    return found.length === 1 && found;
  });
  expect(Math.abs(Number(row?.clock_skew_ms) - offsetSeconds * 1000)).toBeLessThan(5000);
}

describe("FC-20 clocks that differ", () => {
  it.each([{ offsetSeconds: 300 }, { offsetSeconds: -7200 }])(
    "by $offsetSeconds s: it is said, nothing ages by it, and actions stay on",
    async ({ offsetSeconds }) => {
      const name = `waiting-${Math.abs(offsetSeconds)}`;
      world.addRollout(name);
      await world.start();
      expect(Math.abs(await world.metric("gatehouse_clock_skew_seconds", { source: "test/rollouts" }))).toBeLessThan(5);
      const before = await world.rows();
      world.fault("skew", undefined, { offsetSeconds });
      const source = await waitFor("the skew", async () => {
        const found = await world.source("Rollout");
        return Math.abs((found.clockSkewSeconds ?? 0) - offsetSeconds) < 5 && found;
      });
      expect(await world.metric("gatehouse_clock_skew_seconds", { source: "test/rollouts" })).toBeCloseTo(
        offsetSeconds,
        -1,
      );
      expect(source.state).toBe("live");
      // Freshness goes by the database's clock: the contact is recent, whatever the server's Date says.
      const [now] = await world.query<{ ms: number }>(
        "SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms",
      );
      expect(Math.abs((now?.ms ?? 0) - Date.parse(source.lastContact ?? ""))).toBeLessThan(3000);
      expect(await world.rows()).toEqual(before);
      const { web, recorder } = await world.probes();
      expect([web.livez, web.readyz, recorder.livez, recorder.readyz]).toEqual([200, 200, 200, 200]);
      expect(await world.act({ name, action: "continue" })).toMatchObject({ status: 202 });
      await expectStoredSkew(offsetSeconds);
    },
  );

  it("both times are stored, the order is ours, and no time between is negative", async () => {
    await world.start();
    const { store } = world.sandbox;
    const inverted = { phase: "Successful", value: "3", startedAt: at(100), finishedAt: at(40) };
    const metrics = [{ name: "m", measurements: [...measurements(1, 2), inverted], count: 3 }];
    const run = sampleRun({ name: "inverted", phase: "Successful", metrics });
    const status = { ...(run.status as Record<string, unknown>), startedAt: at(1000), completedAt: at(900) };
    const { uid } = store.create("analysisruns", { ...run, status }, manager).metadata;
    await waitFor("its measurements", async () => {
      return (await world.query(`SELECT 1 FROM ${storedMeasurements()} WHERE run_uid = $1`, [uid])).length === 3;
    });
    const [row] = await world.query("SELECT started_at, completed_at, first_seen_at FROM analysis_run WHERE uid = $1", [
      uid,
    ]);
    expect(row).toMatchObject({ started_at: new Date(at(1000)), completed_at: new Date(at(900)) });
    expect(Math.abs(Date.now() - Number(row?.first_seen_at))).toBeLessThan(60_000);
    const detail = await world.call("GET", `/api/v1/analysis-runs/${uid}`, { as: "viewer" });
    expect(detail.body).toMatchObject({
      startedAt: new Date(at(1000)).toISOString(),
      completedAt: new Date(at(900)).toISOString(),
      durationSeconds: null,
      firstSeenAt: new Date(Number(row?.first_seen_at)).toISOString(),
    });
    const listed = await world.call("GET", `/api/v1/analysis-runs/${uid}/measurements`, { as: "viewer" });
    const items = listed.body.items as { seq: number; value: string; durationSeconds: number | null }[];
    // By the controller's own count, regardless of the times.
    expect(items.map(({ seq, value, durationSeconds }) => [seq, value, durationSeconds])).toEqual([
      [1, "1", 1],
      [2, "2", 1],
      [3, "3", null],
    ]);
  });

  it("orders what a rollout went through by when we saw it", async () => {
    await world.start();
    const uid = world.addRollout("hurried", { pauseConditions: [{ reason: "CanaryPauseStep", startTime: at(500) }] });
    const observed = () =>
      world.query<{ at: Date; start: string | null }>(
        `SELECT o.observed_at AS at, o.projection #>> '{pauseConditions,0,startTime}' AS start
           FROM observation o JOIN rollout r ON r.id = o.rollout_id WHERE r.uid = $1 ORDER BY o.id`,
        [uid],
      );
    const first = await waitFor("the first sight", async () => {
      const rows = await observed();
      return rows.length > 0 && rows;
    });
    const { store } = world.sandbox;
    const object = store.get("rollouts", "shop", "hurried");
    if (object === undefined) throw new Error("the rollout is gone");
    // The cluster's clock was set back: by its times, this came first.
    const pauseConditions = [{ reason: "CanaryPauseStep", startTime: at(100) }];
    const status = { ...(object.status as Record<string, unknown>), currentStepIndex: 2, pauseConditions };
    store.update("rollouts", { ...object, status }, { ...manager, subresource: "status" });
    const both = await waitFor("the second sight", async () => {
      const rows = await observed();
      return rows.length > first.length && rows;
    });
    const times = both.map((row) => row.at.getTime());
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    const timeline = await world.call("GET", "/api/v1/rollouts/test/shop/Rollout/hurried/timeline", { as: "viewer" });
    const events = timeline.body.items as { at: string }[];
    const shown = events.map((event) => Date.parse(event.at));
    expect(shown.length).toBeGreaterThan(0);
    expect(shown).toEqual(shown.toSorted((one, other) => other - one));
    for (const time of shown) expect(Math.abs(Date.now() - time)).toBeLessThan(60_000);
  });
});
