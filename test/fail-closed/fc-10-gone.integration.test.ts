import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { storedGaps, storedMeasurements } from "#test/measurement-rows.ts";
import { measurements, sampleRun } from "#test/recorder-samples.ts";
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

describe("FC-10 410 Gone", () => {
  it("as an ERROR event inside a 200 stream: a full relist, and off until it is complete", async () => {
    const { store } = world.sandbox;
    world.addRollout("waiting");
    const run = store.create("analysisruns", runOf(1, 2, 2), manager);
    // Slow to become stale, so that only the missing list can keep it from being fresh.
    await world.start({ timing: { staleAfterMs: 20_000 } });
    await waitFor("the run", async () => (await measured(run.metadata.uid)).length === 2);
    const before = await world.rows();
    const gone = await world.metricDelta("gatehouse_watch_restarts_total", { kind: "AnalysisRun", reason: "gone" });
    // Lists hang, so that the state before the relist completes can be checked.
    world.fault("stall", undefined, { how: "requests", verb: "list" });
    for (const resource of ["rollouts", "analysisruns"]) world.fault("410", resource, { verb: "watch" });
    await world.becomes("Rollout", "syncing");
    await world.becomes("AnalysisRun", "syncing");
    expect(await world.rows()).toEqual(before);
    expect(await world.act({ name: "waiting", action: "continue" })).toMatchObject({
      status: 409,
      body: { code: "source_stale", detail: expect.stringContaining("are being read") },
    });
    const { web, recorder } = await world.probes();
    expect([web.livez, web.readyz, recorder.livez, recorder.readyz]).toEqual([200, 200, 200, 200]);
    // Never in a loop on the old version: once, and then only the list.
    expect(await gone()).toBe(1);
    // The run continues unseen, beyond the cluster's history.
    const stored = store.get("analysisruns", "shop", "spanning");
    if (stored === undefined) throw new Error("the run is gone");
    store.update("analysisruns", { ...stored, status: runOf(6, 15, 15).status as Json }, manager);
    world.fault("none");
    await world.becomes("AnalysisRun", "live");
    await waitFor("the rest of the run", async () => (await measured(run.metadata.uid)).includes(15));
    expect(await measured(run.metadata.uid)).toEqual([1, 2, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
    expect(await world.query(`SELECT after_seq, count FROM ${storedGaps()}`)).toEqual([{ after_seq: 2, count: 3 }]);
    const { body } = await world.call("GET", `/api/v1/analysis-runs/${run.metadata.uid}`, { as: "viewer" });
    expect(body.lostMeasurements).toBe(3);
    await world.becomes("Rollout", "live");
    expect(await world.act({ name: "waiting", action: "continue" })).toMatchObject({ status: 202 });
  });

  it("on a continue token: the list begins anew, and nothing is missing before it is complete", async () => {
    for (let index = 0; index < 4; index++) world.addRollout(`paged-${index}`);
    await world.start();
    const before = await world.presences();
    const incomplete = await world.metricDelta("gatehouse_list_incomplete_total", { kind: "Rollout" });
    world.fault("partial", "rollouts", { how: "410" });
    await world.relist("rollouts");
    await waitFor("two lists that broke off", async () => (await incomplete()) >= 2);
    expect(await world.presences()).toEqual(before);
    expect((await world.source("Rollout")).state).toBe("syncing");
    world.fault("none");
    await world.becomes("Rollout", "live");
    expect(await world.presences()).toEqual(before);
  });
});

type Json = Record<string, unknown>;
const manager = { manager: "rollouts-controller" };

function runOf(from: number, to: number, count: number) {
  return sampleRun({ name: "spanning", metrics: [{ name: "m", measurements: measurements(from, to), count }] });
}

async function measured(uid: string): Promise<number[]> {
  const rows = await world.query<{ seq: number }>(
    `SELECT seq FROM ${storedMeasurements()} WHERE run_uid = $1 ORDER BY seq`,
    [uid],
  );
  return rows.map(({ seq }) => seq);
}
