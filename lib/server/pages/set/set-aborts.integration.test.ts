import { afterAll, beforeAll, expect, it } from "vitest";
import { SetAborts } from "#lib/contract/version-set.ts";
import { getSetAborts } from "#lib/server/pages/set/set-aborts.ts";
import { type ActingWorld, actorOf, createActingWorld, type TestRollout } from "#test/acting-world.ts";
import { keepQueries } from "#test/explain-query.ts";
import { filledSet, fillSet } from "#test/fill-set.ts";
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

it("reads an index of 2,000 members, and of a set with an abort those that are not at rest", async () => {
  await fillSet(world.owner);
  const [one, two] = [await world.addRollout(), await world.addRollout()];
  for (const rollout of [one, two]) await report(rollout, {});
  const namespaces = [one, two].map(({ path }) => path.namespace);
  const filled = { name: "filled", namespaces: ["set-*"], together: true, onAbort: "propose" as const };
  const small = { ...filled, name: "small", namespaces };
  const ask = async () => {
    const { pool, asked } = keepQueries(world.web);
    const ctx = { ...world.contextOf(actorOf("viewer")), runtime: { ...world.runtime, pool } };
    const { items } = SetAborts.parse(await getSetAborts({ ctx, input: undefined }));
    const rows = await Promise.all(
      asked.map(async ({ text, values }) => (await world.web.query(text, values)).rowCount),
    );
    return { rows, sets: items.map(({ set }) => set) };
  };
  world.setSets([filled, small]);
  expect(await ask()).toEqual({ rows: [0], sets: [] });
  await abort(one);
  expect(await ask()).toEqual({ rows: [2, 1], sets: ["small"] });
  const { members } = filledSet;
  world.setSets([filled, { ...small, namespaces: [...namespaces, "set-*"] }]);
  // Of the filled members, one in twenty waits.
  expect(await ask()).toEqual({ rows: [2 + members / 20, 1], sets: ["small"] });
  // Recreated: the row before is not believed to be gone yet.
  await world.owner.query(
    `INSERT INTO rollout (id, cluster, namespace, kind, name, uid, phase, message, step_count, view_digest, revision_key,
       resource_version, object, updated_at, first_seen_at)
     SELECT gen_random_uuid(), cluster, namespace, kind, name, 'recreated', phase, message, step_count, view_digest,
       revision_key, '9', object, now(), now() + interval '1 s' FROM rollout WHERE id = $1`,
    [one.id],
  );
  expect(await ask()).toEqual({ rows: [0], sets: [] });
});
