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

describe("FC-22 an object that cannot be read", () => {
  it("keeps the version before, the raw one aside, and does nothing on it until one can be read again", async () => {
    const { store } = world.sandbox;
    const name = "drifted";
    const uid = world.addRollout(name);
    world.addRollout("neighbour");
    await world.start();
    const before = await world.rows();
    const corrupt = await world.metricDelta("gatehouse_corrupt_records_total", { table: "rollouts" });
    const path = `/api/v1/rollouts/${world.cluster}/shop/Rollout/${name}`;
    const { viewDigest, revisionKey } = (await world.call("GET", path, { as: "viewer" })).body;
    const good = store.get("rollouts", "shop", name);
    if (good === undefined) throw new Error("no rollout");
    store.update(
      "rollouts",
      { ...good, spec: { ...(good.spec as object), strategy: "Canary" } },
      { manager: "kubectl" },
    );
    const kept = await waitFor("its quarantine", async () => {
      const rows = await world.query<{ reason: string; raw: string }>(
        "SELECT reason, raw FROM quarantine WHERE ref = $1",
        [uid],
      );
      return rows[0];
    });
    expect(kept.reason).toContain("spec.strategy");
    expect(JSON.parse(kept.raw)).toMatchObject({ spec: { strategy: "Canary" } });
    expect(await corrupt()).toBe(1);
    expect(await world.rows()).toEqual(before);

    const detail = await world.call("GET", path, { as: "operator" });
    expect(detail.status).toBe(200);
    const actions = detail.body.allowedActions as { action: string; allowed: boolean; reasonCode: string }[];
    expect(actions.filter((each) => each.allowed)).toEqual([]);
    expect(new Set(actions.map((each) => each.reasonCode))).toEqual(new Set(["unreadable"]));
    const seen = { viewDigest, uid, revisionKey };
    for (const action of ["continue", "abort"])
      expect(await world.act({ name, action, expect: seen })).toMatchObject({
        status: 409,
        body: { code: "not_allowed_now" },
      });
    const inbox = await world.call("GET", "/api/v1/inbox", { as: "operator" });
    const items = inbox.body.items as { rollout: { name: string }; actions: { allowed: boolean }[] }[];
    expect(items.find((item) => item.rollout.name === name)?.actions.some((action) => action.allowed)).toBe(false);
    expect(items.find((item) => item.rollout.name === "neighbour")?.actions.some((action) => action.allowed)).toBe(
      true,
    );
    const { web, recorder } = await world.probes();
    expect([web.readyz, recorder.livez, recorder.readyz]).toEqual([200, 200, 200]);

    const drifted = store.get("rollouts", "shop", name);
    store.update(
      "rollouts",
      { ...good, metadata: { ...good.metadata, resourceVersion: drifted?.metadata.resourceVersion ?? "" } },
      { manager: "kubectl" },
    );
    await waitFor("an empty quarantine", async () => (await world.query("SELECT 1 FROM quarantine")).length === 0);
    expect(await world.act({ name, action: "continue" })).toMatchObject({ status: 202 });
  });
});
