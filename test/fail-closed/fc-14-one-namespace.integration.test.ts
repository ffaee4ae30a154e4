import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createFailClosedWorld, type FailClosedWorld } from "./world.ts";

let world: FailClosedWorld;
beforeAll(async () => {
  world = await createFailClosedWorld({ cluster: { namespaces: ["shop", "bank"] } });
  const bank = { apiVersion: "v1", kind: "Namespace", metadata: { name: "bank" } };
  world.sandbox.store.create("namespaces", bank, { manager: "test" });
});
afterEach(async () => {
  world.fault("none");
  await world.stopAll();
});
afterAll(() => world.close());

describe("FC-14 403 in one namespace of many", () => {
  it("denies that scope alone", async () => {
    world.addRollout("waiting");
    world.addRollout("waiting", {}, "bank");
    await world.start();
    const before = await world.rows();
    const there = await world.metricDelta("gatehouse_source_denied_total", { kind: "Rollout", namespace: "bank" });
    const here = await world.metricDelta("gatehouse_source_denied_total", { kind: "Rollout", namespace: "shop" });
    for (const verb of ["list", "watch"] as const) world.fault("403", "rollouts", { namespace: "bank", verb });
    await world.becomes("Rollout", "denied", "bank");
    expect((await world.source("Rollout", "shop")).state).toBe("live");
    expect((await world.source("AnalysisRun", "bank")).state).toBe("live");
    expect(await there()).toBeGreaterThanOrEqual(1);
    expect(await here()).toBe(0);
    expect(await world.rows()).toEqual(before);
    expect(await world.act({ name: "waiting", namespace: "bank", action: "continue" })).toMatchObject({
      status: 409,
      body: { code: "source_stale" },
    });
    expect(await world.act({ name: "waiting", namespace: "shop", action: "continue" })).toMatchObject({ status: 202 });
    const { web, recorder } = await world.probes();
    expect([web.livez, web.readyz, recorder.livez, recorder.readyz]).toEqual([200, 200, 200, 200]);
    world.fault("none");
    await world.becomes("Rollout", "live", "bank");
  });
});
