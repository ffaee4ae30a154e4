import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { sampleRollout } from "#test/recorder-samples.ts";
import { waitFor } from "#test/recorder-world.ts";
import { createFailClosedWorld, type FailClosedWorld } from "./world.ts";

let world: FailClosedWorld;
beforeEach(async () => {
  world = await createFailClosedWorld();
});
afterEach(() => world.close());

/** Answers as the cluster does, but lets lists of objects wait once `isOff` returns true: an error then stays. */
function withoutLists(real: ClusterClient, isOff: () => boolean): ClusterClient["request"] {
  return async (request) => {
    if (!isOff() || request.query?.limit !== 500) return real.request(request);
    await new Promise((resolve) => request.signal?.addEventListener("abort", resolve));
    return { status: 500, json: undefined, text: "not now", date: undefined };
  };
}

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
    let isListed = false;
    await world.start({
      clientOf: () => ({
        ...real,
        watch: async (request) => mapLines(await real.watch(request), withGenerationOne),
        // From then on, only the watch reports changes: a list would show the generation as it is.
        request: withoutLists(real, () => isListed),
      }),
    });
    isListed = true;
    const before = await world.rows();
    edit("shop:3");
    const source = await world.becomes("Rollout", "error");
    expect(source.lastError).toMatch(new RegExp(`the generation of object ${uid} went from [23] to 1`));
    expect(await world.rows()).toEqual(before);
    await real.close();
  });

  it.each([
    { what: "an object", type: "MODIFIED" },
    { what: "a bookmark", type: "BOOKMARK" },
  ])("by the version of $what in a watch: the checkpoint does not go back with it", async ({ type }) => {
    world.addRollout("waiting");
    const real = world.client();
    // No read could notice it.
    const timing = { readEveryMs: 600_000, staleAfterMs: 600_000 };
    let isOlder = false;
    const older = (line: string): string => (isOlder && line.includes(`"${type}"`) ? withVersionOne(line) : line);
    await world.start({
      timing,
      clientOf: () => ({
        ...real,
        watch: async (request) => mapLines(await real.watch(request), older),
        // A list after the error would show the version as it is, and end the error.
        request: withoutLists(real, () => isOlder),
      }),
    });
    const version = async (): Promise<number> => {
      const [row] = await world.query("SELECT resource_version FROM source WHERE resource = 'rollouts'");
      return Number(row?.resource_version);
    };
    const before = await version();
    const rows = await world.rows();
    isOlder = true;
    if (type === "MODIFIED") {
      const object = world.sandbox.store.get("rollouts", "shop", "waiting");
      if (object === undefined) throw new Error("the rollout is gone");
      const spec = sampleRollout({ name: "waiting", image: "shop:2" }).spec as Record<string, unknown>;
      world.sandbox.store.update("rollouts", { ...object, spec }, { manager: "test" });
    }
    const source = await world.becomes("Rollout", "error");
    expect(source.lastError).toMatch(/the resourceVersion went from \d+ to 1/);
    expect(await version()).toBeGreaterThanOrEqual(before);
    expect(await world.rows()).toEqual(rows);
    await real.close();
  });
});

type Watch = Awaited<ReturnType<ClusterClient["watch"]>>;

/** Returns a watch whose lines are changed on the way. */
function mapLines(watch: Watch, change: (line: string) => string): Watch {
  if (!("lines" in watch)) return watch;
  const { lines } = watch;
  async function* changed(): AsyncGenerator<string> {
    for await (const line of lines) yield change(line);
  }
  return { ...watch, lines: changed() };
}

/** Returns the line as a server sends it whose objects were restored from a backup. */
function withGenerationOne(line: string): string {
  return line.replace(/"generation":\d+/, '"generation":1');
}

function withVersionOne(line: string): string {
  return line.replace(/"resourceVersion":"\d+"/, '"resourceVersion":"1"');
}
