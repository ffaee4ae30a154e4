import { afterAll, beforeAll, expect, it } from "vitest";
import { type ActingWorld, createActingWorld, failureOf } from "#test/acting-world.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

it("a refusal whose answer was lost is told again with all that it said", async () => {
  const rollout = await world.addRollout();
  const seen = await rollout.look();
  await rollout.record();
  rollout.setStatus((status) => ({ ...status, currentStepIndex: 2, message: "half a \ud800 and a \u0000" }));
  const ask = () => failureOf(world.act({ rollout, action: "continue", expect: seen, idempotencyKey: "stale-1" }));
  const first = await ask();
  expect(first).toMatchObject({ code: "stale_view" });
  expect(first.extra.changes).toContainEqual(expect.objectContaining({ field: "status.currentStepIndex", now: 2 }));
  expect(first.extra.current).toMatchObject({ viewDigest: expect.any(String), allowedActions: expect.any(Array) });
  const again = await ask();
  expect(again.code).toBe(first.code);
  expect(JSON.parse(JSON.stringify(again.extra))).toEqual(JSON.parse(JSON.stringify(first.extra)));
  expect(await world.outcomesOf(rollout)).toEqual(["action.continue refused"]);
});

it("a reason that is missing is asked for again by the same name", async () => {
  const rollout = await world.addRollout();
  world.setPolicies({ reasons: [{ actions: ["abort"], required: true }] });
  const expected = await rollout.look();
  const ask = () =>
    failureOf(world.act({ rollout, action: "abort", reason: "", expect: expected, idempotencyKey: "reason-1" }));
  const [first, again] = [await ask(), await ask()];
  expect(first).toMatchObject({ code: "reason_required", extra: { invalidParams: [{ name: "reason" }] } });
  expect(again.extra).toEqual(first.extra);
});
