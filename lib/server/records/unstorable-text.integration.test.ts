import { afterAll, beforeAll, expect, it } from "vitest";
import { type ActingWorld, createActingWorld } from "#test/acting-world.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

it.each(["abort", "pause"] as const)("%s is done although the rollout's status holds a NUL", async (action) => {
  const rollout = await world.addRollout();
  rollout.setStatus((status) => ({
    ...status,
    currentPodHash: "new\0",
    pauseConditions: [{ reason: "Canary\0PauseStep", startTime: "2026-11-20T10:00:00Z" }],
  }));
  const { id } = await world.act({ rollout, action });
  expect(await world.rowOf(id)).toMatchObject({ state: "applied" });
  expect(await world.outcomesOf(rollout)).toEqual([`action.${action} intent`, `action.${action} applied`]);
});

it("audits the refusal of a request that holds a NUL", async () => {
  const rollout = await world.addRollout();
  const params = { container: "app", image: "shop/app\0:3" };
  await expect(world.act({ rollout, action: "set-image", params })).rejects.toMatchObject({ code: "invalid_request" });
  expect(await world.outcomesOf(rollout)).toEqual(["action.set-image refused"]);
});
