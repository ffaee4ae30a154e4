import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
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

describe("FC-11 an object that is none of the kind", () => {
  it("is discarded before any writer sees it; the source lists again", async () => {
    world.addRollout("waiting");
    // Slow to become stale, so that only the missing list can keep it from being fresh.
    await world.start({ timing: { staleAfterMs: 20_000 } });
    const before = await world.rows();
    const bad = await world.metricDelta("gatehouse_watch_bad_objects_total", { cluster: "test", kind: "Rollout" });
    world.fault("garbage", "rollouts");
    await waitFor("bad objects", async () => (await bad()) >= 1);
    await world.becomes("Rollout", "syncing");
    expect(await world.act({ name: "waiting", action: "continue" })).toMatchObject({
      status: 409,
      body: { code: "source_stale" },
    });
    expect(await world.rows()).toEqual(before);
    expect(await world.query("SELECT ref FROM quarantine")).toEqual([]);
    const { web, recorder } = await world.probes();
    expect([web.livez, web.readyz, recorder.livez, recorder.readyz]).toEqual([200, 200, 200, 200]);
    world.fault("none");
    await world.becomes("Rollout", "live");
    expect(await world.rows()).toEqual(before);
    expect(await world.act({ name: "waiting", action: "continue" })).toMatchObject({ status: 202 });
  });

  it("hides nothing that lived and died meanwhile: the watch is resumed before the list", async () => {
    await world.start({ timing: { staleAfterMs: 20_000 } });
    const bad = await world.metricDelta("gatehouse_watch_bad_objects_total", { cluster: "test", kind: "AnalysisRun" });
    for (const verb of ["list", "watch"] as const) world.fault("garbage", "analysisruns", { verb });
    await waitFor("bad objects", async () => (await bad()) >= 1);
    await world.becomes("AnalysisRun", "syncing");
    world.addShortRun("short");
    world.fault("none");
    await world.becomes("AnalysisRun", "live");
    expect(await world.shortRun("short")).toEqual({
      phase: "Successful",
      presence: "deleted",
      measurements: 3,
      gaps: 0,
    });
  });
});
