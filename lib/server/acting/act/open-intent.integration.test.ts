import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { followActions } from "#lib/server/acting/follow/follow-actions.ts";
import { ClusterUnreachableError } from "#lib/server/clusters/kubernetes/cluster-errors.ts";
import { type ActingWorld, createActingWorld, failureOf } from "#test/acting-world.ts";

let world: ActingWorld;

beforeAll(async () => {
  world = await createActingWorld();
});
afterEach(() => world.setIntercept(undefined));
afterAll(() => world.close());

/** Holds the first patch that is sent until `release`; `reached` resolves once the patch arrives. */
function holdPatch() {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let isFirst = true;
  world.setIntercept(async (request, send) => {
    if (request.method === "PATCH" && isFirst) {
      isFirst = false;
      reached.resolve();
      await gate.promise;
    }
    return send();
  });
  return { reached: reached.promise, release: () => gate.resolve() };
}

describe("while an action is between its intent and its outcome", () => {
  it("nothing else advances the rollout, at once; Abort goes through", async () => {
    const rollout = await world.addRollout();
    const { reached, release } = holdPatch();
    const first = world.act({ rollout, action: "continue" });
    await reached;
    expect(await failureOf(world.act({ rollout, action: "promote-full" }))).toMatchObject({
      code: "not_allowed_now",
      message: expect.stringContaining("no outcome yet"),
    });
    await expect(world.act({ rollout, action: "abort" })).resolves.toMatchObject({ state: "applied" });
    release();
    await first.catch(() => undefined);
    expect(await world.verify()).toMatchObject({ ok: true });
  });

  it("no other rollout is held up", async () => {
    const [one, other] = [await world.addRollout(), await world.addRollout()];
    const { reached, release } = holdPatch();
    const first = world.act({ rollout: one, action: "continue" });
    await reached;
    await expect(world.act({ rollout: other, action: "continue" })).resolves.toMatchObject({ state: "applied" });
    release();
    await first;
  });
});

it("of many that come at the same moment one has an intent", async () => {
  const rollout = await world.addRollout();
  const expected = await rollout.look();
  const { release, reached } = holdPatch();
  const asked = Array.from({ length: 6 }, () => world.act({ rollout, action: "promote-full", expect: expected }));
  const settled = Promise.allSettled(asked);
  await reached;
  // The others are refused while the first one's patch is still in flight.
  const others = asked.map((one) =>
    one.then(
      () => "done",
      (error: { code: string }) => error.code,
    ),
  );
  const refused: string[] = [];
  for (const one of others) void one.then((word) => refused.push(word));
  await expect.poll(() => refused.length).toBe(5);
  expect(refused).toEqual(Array.from({ length: 5 }, () => "not_allowed_now"));
  release();
  expect((await settled).filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const entries = await world.outcomesOf(rollout);
  expect(entries.filter((entry) => entry.endsWith("intent"))).toHaveLength(1);
});

it("an intent whose process died blocks until the recorder has read it back, and no longer", async () => {
  const rollout = await world.addRollout();
  const { id } = await world.act({ rollout, action: "pause" });
  // Simulates a kill -9 between the intent and the patch.
  await world.owner.query("UPDATE action SET state = 'requested', outcome_seq = NULL, id = $2 WHERE id = $1", [
    id,
    randomUUID(),
  ]);
  await rollout.record();
  expect(await failureOf(world.act({ rollout, action: "promote-full" }))).toMatchObject({ code: "not_allowed_now" });
  await world.owner.query(
    "UPDATE action SET requested_at = now() - interval '200 seconds', deadline_at = now() - interval '125 seconds'",
  );
  await followActions({ pool: world.recorder, clusterFor: () => world.client });
  await expect(world.act({ rollout, action: "promote-full" })).resolves.toMatchObject({ state: "applied" });
});

it("a refusal that comes after the recorder has dropped the action is not recorded", async () => {
  const rollout = await world.addRollout();
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  world.setIntercept(async () => {
    reached.resolve();
    await gate.promise;
    throw new ClusterUnreachableError({ cluster: "prod-eu", sent: false, message: "no route to host" });
  });
  const asked = failureOf(world.act({ rollout, action: "continue" }));
  await reached.promise;
  await world.owner.query("UPDATE action SET requested_at = now() - interval '200 seconds' WHERE rollout_id = $1", [
    rollout.id,
  ]);
  await followActions({ pool: world.recorder, clusterFor: () => world.client });
  gate.resolve();
  expect(await asked).toMatchObject({ code: "conflict", message: expect.stringContaining("already settled") });
  expect(await world.outcomesOf(rollout)).toEqual(["action.continue refused"]);
  expect(await world.verify()).toMatchObject({ ok: true });
});
