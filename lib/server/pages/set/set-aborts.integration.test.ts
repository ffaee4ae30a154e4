import { afterAll, beforeAll, expect, it } from "vitest";
import { SetAborts } from "#lib/contract/version-set.ts";
import { getSetAborts } from "#lib/server/pages/set/set-aborts.ts";
import { type ActingWorld, actorOf, createActingWorld, type TestRollout } from "#test/acting-world.ts";
import { recordProjection } from "#test/record-projection.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

async function report(rollout: TestRollout, change: object): Promise<void> {
  const observedGeneration = String(rollout.read().metadata.generation);
  rollout.setStatus((status) => ({ ...status, observedGeneration, ...change }));
  await recordProjection(world, rollout);
}
const abort = (rollout: TestRollout) =>
  report(rollout, { abort: true, abortedAt: new Date().toISOString(), phase: "Degraded" });

async function read(actor = actorOf("viewer")) {
  return SetAborts.parse(await getSetAborts({ ctx: world.contextOf(actor), input: undefined })).items;
}

it("proposes to abort the others while one is aborted, to those who may see them, until none is under way", async () => {
  const [one, two] = [await world.addRollout(), await world.addRollout()];
  for (const rollout of [one, two]) await report(rollout, {});
  const namespaces = [one, two].map(({ path }) => path.namespace);
  const set = { name: "app", namespaces, together: true, onAbort: "propose" as const };
  world.setSets([set]);
  expect(await read()).toEqual([]);

  await abort(one);
  const because = `1 was aborted in ${one.path.namespace}/checkout (prod-eu), and 1 other rollout of set "app" still receives it.`;
  const [found, ...rest] = await read();
  expect(rest).toEqual([]);
  expect(found).toMatchObject({ set: "app", images: ["shop/app:1"], version: "1", because });
  expect(found?.rollouts.map(({ namespace }) => namespace)).toEqual([two.path.namespace]);
  const only = (namespace: string) => {
    const scope = { clusters: ["*"], namespaces: [namespace], rollouts: ["*"] };
    const grants = [{ role: "viewer" as const, scope, actions: [], breakGlass: false }];
    return { ...actorOf("viewer"), rights: { cap: "viewer" as const, grants } };
  };
  expect(await read(only(one.path.namespace))).toEqual([]);
  expect((await read(only(two.path.namespace)))[0]?.because).toMatch(/^1 was aborted in 1 rollout, and 1 other /);
  world.setSets([{ ...set, onAbort: undefined }]);
  expect(await read()).toEqual([]);
  world.setSets([{ ...set, onAbort: "abort" }]);
  expect(await read()).toHaveLength(1);

  await abort(two);
  expect(await read()).toEqual([]);
});
