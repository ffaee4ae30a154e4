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

describe("FC-12 a paged list that breaks off", () => {
  it.each(["cut", "500", "410"])("by %s: pages may add or update, and nothing is gone before the end", async (how) => {
    for (let index = 0; index < 4; index++) world.addRollout(`${how}-${index}`);
    await world.start();
    const before = await world.presences();
    const incomplete = await world.metricDelta("gatehouse_list_incomplete_total", { cluster: "test", kind: "Rollout" });
    const absent = await world.metricDelta("gatehouse_objects_marked_absent_total", { kind: "Rollout" });
    world.fault("partial", "rollouts", { how });
    await world.relist("rollouts");
    await waitFor("a list that broke off", async () => (await incomplete()) >= 1);
    // No watch sees it: while the source cannot list, it does not watch.
    world.deleteRollout(`${how}-3`);
    world.addRollout(`${how}-0-new`);
    await waitFor("another one", async () => (await incomplete()) >= 3);
    await waitFor("what the first page adds", async () => (await world.presences())[`${how}-0-new`] === "live");
    expect(await world.presences()).toEqual({ ...before, [`${how}-0-new`]: "live" });
    expect(await absent()).toBe(0);
    expect(await world.act({ name: `${how}-0`, action: "continue" })).toMatchObject({
      status: 409,
      body: { code: "source_stale" },
    });
    const { web, recorder } = await world.probes();
    expect([web.livez, web.readyz, recorder.livez, recorder.readyz]).toEqual([200, 200, 200, 200]);
    world.fault("none");
    await world.becomes("Rollout", "live");
    expect(await world.presences()).toEqual({ ...before, [`${how}-0-new`]: "live", [`${how}-3`]: "absent" });
    expect(await absent()).toBe(1);
    expect(await world.act({ name: `${how}-0`, action: "continue" })).toMatchObject({ status: 202 });
  });
});
