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

describe("FC-08 a watch that closes or times out normally", () => {
  it("goes on from the last version: rows are kept, actions stay on", async () => {
    world.addRollout("checkout");
    await world.start();
    const before = await world.rows();
    const closed = await world.metricDelta("gatehouse_watch_restarts_total", { reason: "closed", kind: "Rollout" });
    const others = await world.metricDelta("gatehouse_watch_restarts_total");
    await waitFor("two watches that ended", async () => (await closed()) >= 2);
    expect(await world.rows()).toEqual(before);
    expect(await others()).toBeGreaterThanOrEqual(2);
    const { body } = await world.call("GET", "/api/v1/sources", { as: "viewer" });
    expect(body.items).toEqual(
      (body.items as { kind: string }[]).map(({ kind }) => expect.objectContaining({ kind, state: "live" })),
    );
    expect(await world.act({ name: "checkout", action: "continue" })).toMatchObject({
      status: 202,
      body: { state: "applied" },
    });
    const { web, recorder } = await world.probes();
    expect([web.livez, web.readyz, recorder.livez, recorder.readyz]).toEqual([200, 200, 200, 200]);
  });
});
