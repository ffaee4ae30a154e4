import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { rolloutIdOf } from "#lib/domain/delivery/rollout-id.ts";
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

describe("FC-18 an object is created again under the same name", () => {
  it("is another object: old runs stay with the old one, and what was decided on the old one does not count", async () => {
    const { store } = world.sandbox;
    const name = "checkout";
    const first = world.addRollout(name);
    const owner = { kind: "Rollout", name, uid: first };
    const metrics = [{ name: "m", count: 3, measurements: measurements(1, 3) }];
    const run = store.create("analysisruns", sampleRun({ name: "old-run", owner, metrics }), { manager: "controller" });
    await world.start();
    const path = `/api/v1/rollouts/${world.cluster}/shop/Rollout/${name}`;
    const seen = (await world.call("GET", path, { as: "viewer" })).body;
    const expectOld = { viewDigest: seen.viewDigest, uid: first, revisionKey: seen.revisionKey };
    const before = await world.rows();

    store.delete("rollouts", "shop", name);
    const second = world.addRollout(name);
    await waitFor("the new object", async () => {
      const rows = await world.query("SELECT 1 FROM rollout WHERE uid = $1 AND presence = 'live'", [second]);
      return rows.length > 0;
    });
    const rollouts = await world.query("SELECT uid, presence FROM rollout ORDER BY first_seen_at, presence");
    expect(rollouts).toEqual([
      { uid: first, presence: "deleted" },
      { uid: second, presence: "live" },
    ]);
    const id = rolloutIdOf({ cluster: world.cluster, namespace: "shop", kind: "Rollout", name, uid: first });
    expect(await world.query("SELECT rollout_id FROM analysis_run WHERE uid = $1", [run.metadata.uid])).toEqual([
      { rollout_id: id },
    ]);
    expect((await world.rows()).measurement).toEqual(before.measurement);

    for (const action of ["continue", "abort"])
      expect(await world.act({ name, action, expect: expectOld })).toMatchObject({
        status: 409,
        body: { code: "stale_view" },
      });
    expect(store.get("rollouts", "shop", name)?.status).toMatchObject({ controllerPause: true });
    expect((await world.call("GET", path, { as: "viewer" })).body).toMatchObject({ uid: second });
    expect(await world.act({ name, action: "continue" })).toMatchObject({ status: 202 });
    const { web, recorder } = await world.probes();
    expect([web.readyz, recorder.readyz]).toEqual([200, 200]);
  });
});
