import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ClusterClient } from "#lib/server/kubernetes/cluster-client-types.ts";
import { sampleRollout } from "#test/recorder-samples.ts";
import { waitFor } from "#test/recorder-world.ts";
import { createFailClosedWorld, type FailClosedWorld } from "./world.ts";

let world: FailClosedWorld;
beforeEach(async () => {
  world = await createFailClosedWorld();
});
afterEach(() => world.close());

describe("FC-19 another cluster, or an older state of this one", () => {
  const ways = [
    { how: "identity", says: "another cluster answers" },
    { how: "backwards", says: "versions went backwards" },
  ];
  it.each(ways)("by its $how: the source stops, nothing is written, every action is off", async ({ how, says }) => {
    world.addRollout("waiting");
    world.addRollout("other");
    await world.start();
    const before = await world.rows();
    const seen = await world.metricDelta("gatehouse_source_identity_mismatch_total", { kind: "Rollout" });
    world.fault("wrong-cluster", undefined, { how });
    const source = await world.becomes("Rollout", "error");
    expect(source.lastError).toContain(says);
    world.addRollout("foreign");
    world.deleteRollout("waiting");
    const already = await seen();
    await waitFor("two more looks", async () => (await seen()) >= already + 2);
    expect(await world.rows()).toEqual(before);
    for (const action of ["continue", "abort"])
      expect(await world.act({ name: "other", action })).toMatchObject({
        status: 409,
        body: { code: "source_stale", detail: expect.stringContaining("Nothing is done at test") },
      });
    expect(await world.rows()).toEqual(before);
    const { web, recorder } = await world.probes();
    expect([web.livez, web.readyz, recorder.livez, recorder.readyz]).toEqual([200, 200, 200, 200]);
    expect(web.status.sources).toContainEqual(expect.objectContaining({ kind: "Rollout", state: "error" }));
    world.fault("none");
    await world.becomes("Rollout", "live");
    await waitFor("what is there", async () => (await world.presences()).foreign === "live");
  });

  it("by an object's generation", async () => {
    const uid = world.addRollout("waiting");
    const { store } = world.sandbox;
    const edit = (image: string): void => {
      const object = store.get("rollouts", "shop", "waiting");
      if (object === undefined) throw new Error("the rollout is gone");
      const spec = sampleRollout({ name: "waiting", image }).spec as Record<string, unknown>;
      store.update("rollouts", { ...object, spec }, { manager: "test" });
    };
    edit("shop:2");
    const real = world.client();
    await world.start({
      clientOf: () => ({ ...real, watch: async (request) => withGenerationOne(await real.watch(request)) }),
    });
    const before = await world.rows();
    edit("shop:3");
    const source = await world.becomes("Rollout", "error");
    expect(source.lastError).toMatch(new RegExp(`the generation of object ${uid} went from [23] to 1`));
    expect(await world.rows()).toEqual(before);
    await real.close();
  });
});

type Watch = Awaited<ReturnType<ClusterClient["watch"]>>;

/** Lines as a server sends them whose objects were restored from a backup. */
function withGenerationOne(watch: Watch): Watch {
  if (!("lines" in watch)) return watch;
  const { lines } = watch;
  async function* older(): AsyncGenerator<string> {
    for await (const line of lines) yield line.replace(/"generation":\d+/, '"generation":1');
  }
  return { ...watch, lines: older() };
}
