import { afterAll, beforeAll, expect, it } from "vitest";
import { actOnMany } from "#lib/server/acting/act/act-on-many.ts";
import { getActionGroup } from "#lib/server/acting/act/action-group.ts";
import { type ActingWorld, actorOf, createActingWorld } from "#test/acting-world.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

it("the entry of a request for many rollouts stays below 64 KiB, and the request names all that were refused", async () => {
  const rollout = await world.addRollout();
  const expectation = await rollout.look();
  const gone = Array.from({ length: 150 }, (_, index) => `gone-${index}-${"x".repeat(240)}`);
  const members = [rollout.path.name, ...gone].map((name) => ({ ...rollout.path, name, expect: expectation }));
  const ctx = world.contextOf(actorOf("operator"));
  const { seq, finished } = await actOnMany({ ctx, input: { action: "pause", reason: "because", of: "v2", members } });
  await finished;
  const { rows } = await world.owner.query("SELECT entry FROM audit_entry WHERE seq = $1", [seq]);
  const text: string = rows[0].entry;
  expect(Buffer.byteLength(text)).toBeLessThan(64 * 1024);
  expect(JSON.parse(text).detail).toMatchObject({ members: 151, refusedCount: 150 });
  const group = await getActionGroup({ ctx, input: { seq } });
  const refused = group.members.filter(({ actionId }) => actionId === null);
  expect(refused.map((member) => member.rollout.name).sort()).toEqual(gone.toSorted());
});
