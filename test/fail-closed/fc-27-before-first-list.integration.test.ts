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

const path = () => `/api/v1/rollouts/${world.cluster}/shop/Rollout/checkout`;
const sourceOf = async () => {
  const { body } = await world.call("GET", "/api/v1/sources", { as: "viewer" });
  return (body.items as { kind: string; state: string; objects: number }[]).find(({ kind }) => kind === "Rollout");
};

describe("FC-27 start-up, before the first complete list", () => {
  it("a cluster that never answered: ready, syncing, nothing to act on, and it comes by itself", async () => {
    world.addRollout("checkout");
    world.sandbox.fault({ fault: "stall", how: "requests" });
    await world.start({ waitUntilLive: false });
    await waitFor("readiness", async () => (await world.probes()).recorder.readyz === 200);
    const { web, recorder } = await world.probes();
    expect([web.livez, web.readyz, recorder.livez]).toEqual([200, 200, 200]);
    await waitFor("its source", async () => (await sourceOf())?.state === "syncing");
    expect((await world.rows()).rollout?.count).toBe(0);
    expect((await world.call("GET", path(), { as: "viewer" })).status).toBe(404);
    world.fault("none");
    await waitFor("the first list", async () => (await sourceOf())?.state === "live");
    expect(await world.act({ name: "checkout", action: "continue" })).toMatchObject({ status: 202 });
  });

  it("a restart: what was stored is shown as of its time, and nothing advances before the list is complete", async () => {
    const { viewDigest, uid, revisionKey } = (await world.call("GET", path(), { as: "viewer" })).body;
    const before = await world.rows();
    world.sandbox.fault({ fault: "500" });
    await world.start({ waitUntilLive: false });
    await waitFor("its source", async () => (await sourceOf())?.state !== "live");
    const detail = await world.call("GET", path(), { as: "operator" });
    expect(detail).toMatchObject({ status: 200, body: { source: { fresh: false } } });
    const actions = detail.body.allowedActions as { action: string; allowed: boolean; protective: boolean }[];
    expect(actions.filter((action) => action.allowed && !action.protective)).toEqual([]);
    const seen = { viewDigest, uid, revisionKey };
    expect(await world.act({ name: "checkout", action: "continue", expect: seen })).toMatchObject({
      status: 409,
      body: { code: "source_stale" },
    });
    expect(await world.rows()).toEqual(before);
    const { web, recorder } = await world.probes();
    expect([web.readyz, recorder.livez, recorder.readyz]).toEqual([200, 200, 200]);
    world.fault("none");
    await waitFor("the list", async () => (await sourceOf())?.state === "live");
    expect(await world.act({ name: "checkout", action: "abort" })).toMatchObject({ status: 202 });
  });
});
