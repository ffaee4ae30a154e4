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

describe("FC-23 an action on an object that changed since the page was made", () => {
  it("is refused with what changed and the fresh state, counted and audited, and nothing is sent", async () => {
    const { store } = world.sandbox;
    const name = "checkout";
    world.addRollout(name);
    await world.start();
    const path = `/api/v1/rollouts/${world.cluster}/shop/Rollout/${name}`;
    const { viewDigest, uid, revisionKey } = (await world.call("GET", path, { as: "viewer" })).body;
    const object = store.get("rollouts", "shop", name);
    if (object === undefined) throw new Error("no rollout");
    const status = { ...(object.status as object), currentPodHash: "newer", currentStepIndex: 0 };
    const changed = store.update("rollouts", { ...object, status }, { manager: "controller", subresource: "status" });
    const stale = await world.metricDelta("gatehouse_actions_total", { kind: "continue", outcome: "stale" });
    const staleAborts = await world.metricDelta("gatehouse_actions_total", { kind: "abort", outcome: "stale" });
    const applied = await world.metricDelta("gatehouse_actions_total", { outcome: "applied" });

    const seen = { viewDigest, uid, revisionKey };
    const refused = await world.act({ name, action: "continue", expect: seen });
    expect(refused).toMatchObject({ status: 409, body: { code: "stale_view", actionId: expect.any(String) } });
    const { changes, current } = refused.body as {
      changes: { field: string; seen: unknown; now: unknown }[];
      current: { viewDigest: string };
    };
    expect(changes.map(({ field }) => field)).toContain("status.currentPodHash");
    expect(current.viewDigest).not.toBe(viewDigest);
    expect(await stale()).toBe(1);
    // A protective action tolerates a changed view, but not another revision than the one that was seen.
    expect(await world.act({ name, action: "abort", expect: seen })).toMatchObject({
      status: 409,
      body: { code: "stale_view" },
    });
    expect(await staleAborts()).toBe(1);
    expect(store.get("rollouts", "shop", name)?.metadata.resourceVersion).toBe(changed.metadata.resourceVersion);
    expect(await world.query("SELECT state FROM action WHERE id = $1", [refused.body.actionId])).toEqual([
      { state: "refused" },
    ]);
    expect(
      await world.query("SELECT code, outcome FROM audit_entry WHERE action_id = $1", [refused.body.actionId]),
    ).toEqual([{ code: "action.continue", outcome: "refused" }]);
    expect(await applied()).toBe(0);

    expect(await world.act({ name, action: "continue" })).toMatchObject({ status: 202, body: { state: "applied" } });
    expect(await applied()).toBe(1);
    const { web, recorder } = await world.probes();
    expect([web.readyz, recorder.readyz]).toEqual([200, 200]);
  });
});
