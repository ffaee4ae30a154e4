import { afterAll, beforeAll, expect, it } from "vitest";
import { followActions } from "#lib/server/acting/follow/follow-actions.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { type ActingWorld, createActingWorld, type TestRollout } from "#test/acting-world.ts";
import { type CrashPoint, createCrashingPool, createFuse } from "#test/crashing-pool.ts";
import { recordProjection } from "#test/record-projection.ts";
import { liftBarrierHolds } from "./lift-barrier-holds.ts";
import { placeBarrierHold } from "./place-barrier-hold.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

/** Runs a part of a recorder until it ends, or dies at this point. Resolves with its steps. */
async function live(point: CrashPoint | undefined, work: (runtime: Runtime) => Promise<unknown>): Promise<number> {
  const fuse = createFuse(point);
  await work({ ...world.runtime, pool: createCrashingPool(world.recorder, fuse) }).catch((error: unknown) => {
    if (!fuse.isBlown()) throw error;
  });
  return fuse.steps();
}

const steps = [{ setWeight: 20 }, { pause: { duration: "1h" } }, { setWeight: 60 }];

async function addRollout(): Promise<TestRollout> {
  return world.addRollout({ spec: { strategy: { canary: { steps } } } });
}

async function place(rollout: TestRollout, point?: CrashPoint): Promise<number> {
  const { viewDigest, uid } = await rollout.look();
  const held = { ...rollout.path, id: rollout.id, uid, view_digest: viewDigest };
  const wanted = { runKey: "new", step: 1, set: "shop", because: "Not at pause 1 yet: 1 member." };
  return live(point, (runtime) => placeBarrierHold({ runtime, rollout: held, wanted }));
}

/** Its set is gone from the config: the pause is not needed any more. */
function lift(point?: CrashPoint): Promise<number> {
  return live(point, (runtime) => liftBarrierHolds({ runtime, onError: () => {} }));
}

/** The next recorder finds out what became of the actions, after the time in which they could be under way. */
async function recover(): Promise<void> {
  await world.owner.query(
    `UPDATE action SET requested_at = requested_at - interval '5 min', deadline_at = deadline_at - interval '5 min'
      WHERE outcome_seq IS NULL`,
  );
  await world.owner.query(
    "UPDATE barrier_hold SET wanted_at = wanted_at - interval '5 min', tried_at = NULL WHERE ended_at IS NULL",
  );
  await followActions({ pool: world.recorder, clusterFor: () => world.client });
}

const isPaused = (rollout: TestRollout): boolean => rollout.read().spec.paused === true;

async function holdOf({ id }: TestRollout): Promise<{ outcome: string | null; ended: boolean } | undefined> {
  const { rows } = await world.owner.query(
    "SELECT outcome, ended_at IS NOT NULL AS ended FROM barrier_hold WHERE rollout_id = $1",
    [id],
  );
  return rows[0];
}

const moments = ["before", "after"] as const;

it.each(moments)("knows which pause is its own if the recorder that places it dies %s any statement", async (when) => {
  const first = await addRollout();
  const count = await place(first);
  expect([isPaused(first), await holdOf(first)]).toEqual([true, { outcome: "placed", ended: false }]);
  const rollouts: TestRollout[] = [];
  for (let step = 1; step <= count; step++) {
    const rollout = await addRollout();
    rollouts.push(rollout);
    await place(rollout, { step, when });
  }
  const paused = rollouts.filter(isPaused);
  expect(paused.length).toBeGreaterThan(3);
  expect(paused.length).toBeLessThan(rollouts.length);

  await recover();
  // Nothing is recorded of the pauses yet, so that none is lifted.
  await lift();
  for (const rollout of rollouts) {
    const outcome = (await holdOf(rollout))?.outcome ?? "refused";
    expect([outcome, isPaused(rollout)]).toEqual(isPaused(rollout) ? ["placed", true] : ["refused", false]);
  }
  for (const rollout of [first, ...paused]) await recordProjection(world, rollout);
  await lift();
  expect([first, ...paused].filter(isPaused)).toEqual([]);
});

it.each(moments)("lifts its pause if the recorder that lifts it dies %s any statement", async (when) => {
  const play = async (point?: CrashPoint): Promise<number> => {
    const rollout = await addRollout();
    await place(rollout);
    await recordProjection(world, rollout);
    const count = await lift(point);
    await recover();
    for (const _ of ["lifted", "over"]) {
      await recordProjection(world, rollout);
      await lift();
    }
    expect([isPaused(rollout), await holdOf(rollout)]).toEqual([false, { outcome: "placed", ended: true }]);
    return count;
  };
  const count = await play();
  for (let step = 1; step <= count; step++) await play({ step, when });
});
