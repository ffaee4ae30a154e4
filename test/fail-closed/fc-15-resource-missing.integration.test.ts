import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
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

describe("FC-15 404 on the resource", () => {
  it("is absent and no deletion; when the resource comes back it is listed anew", async () => {
    world.addRollout("waiting");
    await world.start();
    const before = await world.rows();
    const absent = await world.metricDelta("gatehouse_objects_marked_absent_total");
    world.fault("404", "rollouts");
    const source = await world.becomes("Rollout", "absent");
    expect(source.lastError).toContain("404");
    expect(await world.rows()).toEqual(before);
    expect(await absent()).toBe(0);
    const detail = await world.call("GET", "/api/v1/rollouts/test/shop/Rollout/waiting", { as: "viewer" });
    expect(detail.body.source).toMatchObject({
      fresh: false,
      reason: expect.stringContaining(`cannot be observed since ${source.lastContact}`),
    });
    expect(await world.act({ name: "waiting", action: "continue" })).toMatchObject({
      status: 409,
      body: { code: "source_stale" },
    });
    const { web, recorder } = await world.probes();
    expect([web.livez, web.readyz, recorder.livez, recorder.readyz]).toEqual([200, 200, 200, 200]);
    // Created while nobody could see it.
    world.addRollout("new");
    world.fault("none");
    await world.becomes("Rollout", "live");
    expect(await world.presences()).toEqual({ waiting: "live", new: "live" });
    expect(await world.act({ name: "waiting", action: "continue" })).toMatchObject({ status: 202 });
  });

  it("hides nothing that lived and died meanwhile, as far as the cluster still knows", async () => {
    await world.start();
    world.fault("404", "analysisruns");
    await world.becomes("AnalysisRun", "absent");
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
