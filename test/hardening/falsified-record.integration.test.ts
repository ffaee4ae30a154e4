import { afterAll, beforeAll, expect, it } from "vitest";
import { type ActingWorld, createActingWorld } from "#test/acting-world.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

it("a click does what the object at the cluster asks for, whatever the recorder wrote of it", async () => {
  const inconclusive = {
    currentStepIndex: 2,
    pauseConditions: [{ reason: "InconclusiveAnalysisRun", startTime: "2026-11-20T10:00:00Z" }],
    canary: { currentStepAnalysisRunStatus: { name: "run-1", status: "Inconclusive" } },
  };
  const rollout = await world.addRollout({ status: inconclusive });
  const { rowCount } = await world.recorder.query(
    `UPDATE rollout SET step = 0, step_count = 9, phase = 'Healthy', message = 'all is well', revision = 99,
       weight_set = 100, weight_actual = 100 WHERE id = $1`,
    [rollout.id],
  );
  expect(rowCount).toBe(1);
  world.requests.length = 0;
  await expect(world.act({ rollout, action: "accept-step" })).resolves.toMatchObject({ state: "applied" });
  const [first, ...rest] = world.requests.filter(({ path }) => /\/rollouts\/checkout(\/|$)/.test(path));
  expect(first).toMatchObject({ method: "GET", as: { username: "operator-person" } });
  const patches = rest.filter(({ method }) => method === "PATCH");
  expect(patches).toHaveLength(1);
  // From the third step to the fourth: by the record, it would be from the first to the second.
  expect(patches[0]?.body).toMatchObject({ status: { currentStepIndex: 3 } });
});

it("a view that only the recorder has seen is no view to act on", async () => {
  const rollout = await world.addRollout();
  const { viewDigest } = await rollout.look();
  rollout.setStatus((status) => ({ ...status, currentStepIndex: 2 }));
  await world.recorder.query("UPDATE rollout SET view_digest = $2 WHERE id = $1", [rollout.id, viewDigest]);
  world.requests.length = 0;
  await expect(world.act({ rollout, action: "continue", expect: { viewDigest } })).rejects.toMatchObject({
    code: "stale_view",
  });
  expect(world.requests.filter(({ method }) => method === "PATCH")).toEqual([]);
});
