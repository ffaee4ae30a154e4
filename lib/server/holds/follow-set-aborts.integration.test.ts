import { afterAll, beforeAll, expect, it } from "vitest";
import { beginRun } from "#lib/server/acting/act/cluster-lanes.ts";
import { followActions } from "#lib/server/acting/follow/follow-actions.ts";
import { readTogether } from "#lib/server/acting/permission/read-barriers.ts";
import { gatehouseKey } from "#lib/server/holds/act-as-gatehouse.ts";
import { logRolloutChange } from "#lib/server/platform/db/log-change.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { type ActingWorld, createActingWorld, type TestRollout } from "#test/acting-world.ts";
import { type CrashPoint, createCrashingPool, createFuse } from "#test/crashing-pool.ts";
import { keepQueries } from "#test/explain-query.ts";
import { markSettled } from "#test/mark-settled.ts";
import { recordProjection } from "#test/record-projection.ts";
import { createBarrierTasks } from "./create-barrier-tasks.ts";
import { createAbortsPlace, followSetAborts } from "./follow-set-aborts.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

/** Adds a rollout that receives shop/app:1. */
async function add(): Promise<TestRollout> {
  const rollout = await world.addRollout();
  await report(rollout, {});
  return rollout;
}

/** Writes the status as the controller does, for the spec as it is now, and records it. */
async function report(rollout: TestRollout, change: object): Promise<void> {
  const observedGeneration = String(rollout.read().metadata.generation);
  rollout.setStatus((status) => ({ ...status, observedGeneration, ...change }));
  await recordProjection(world, rollout);
  const images = JSON.stringify([{ image: "shop/app:0", tags: ["stable"] }]);
  await world.owner.query("UPDATE rollout SET images = $2 WHERE id = $1", [rollout.id, images]);
}

const abort = (rollout: TestRollout) =>
  report(rollout, { abort: true, abortedAt: new Date().toISOString(), phase: "Degraded" });
const goOn = (rollout: TestRollout) => report(rollout, { abort: null, abortedAt: null, phase: "Paused" });

const setOf = (members: readonly TestRollout[], onAbort: "abort" | "propose" = "abort") => ({
  ...{ name: `set of ${members[0]?.path.namespace}`, together: true, onAbort },
  namespaces: members.map(({ path }) => path.namespace),
});

const recorder = (): Runtime => ({ ...world.runtime, pool: world.recorder });
const watchOf = (runtime = recorder()) => createBarrierTasks(runtime, { readEveryMs: 0 });

async function look(tasks: ReturnType<typeof watchOf>): Promise<void> {
  await (await tasks.watch()).finished;
}

const isAbortAsked = (rollout: TestRollout) => rollout.read().status.abort === true;

async function groups(rollout: TestRollout): Promise<string[]> {
  const { rows } = await world.owner.query<{ seq: string }>(
    "SELECT DISTINCT group_seq AS seq FROM action WHERE rollout_id = $1 AND group_seq IS NOT NULL",
    [rollout.id],
  );
  return rows.map(({ seq }) => seq);
}

it("aborts the other members once, as Gatehouse, and names the entry of the first abort", async () => {
  const [cause, other, third] = [await add(), await add(), await add()];
  world.setSets([setOf([cause, other, third])]);
  const tasks = watchOf();
  await look(tasks);
  await world.act({ rollout: cause, action: "abort", reason: "Errors." });
  await look(tasks);
  expect([other, third].map(isAbortAsked)).toEqual([false, false]);
  await abort(cause);
  await look(tasks);
  expect([other, third].map(isAbortAsked)).toEqual([true, true]);
  const [first] = await world.entriesOf(cause);
  for (const rollout of [other, third]) {
    expect(await world.outcomesOf(rollout)).toEqual(["action.abort intent", "action.abort applied"]);
    const [intent] = await world.entriesOf(rollout);
    expect(intent?.actor).toMatchObject({ type: "system", name: "Gatehouse" });
    expect(intent?.reason).toBe(
      `Set "set of ${cause.path.namespace}" aborts together: another member was aborted (audit entry ${first?.seq}).`,
    );
    expect(intent?.detail).toMatchObject({ group: Number((await groups(rollout))[0]) });
  }

  // Their own aborts are followed by nothing; nor is the next one of this version.
  for (const rollout of [other, third]) await abort(rollout);
  await look(tasks);
  for (const rollout of [cause, other, third]) await goOn(rollout);
  const later = watchOf();
  await look(later);
  await abort(third);
  await look(later);
  expect([cause, other].map(isAbortAsked)).toEqual([false, false]);
  expect(await groups(cause)).toEqual([]);
  expect((await world.verify()).ok).toBe(true);
});

it("is no cause of further aborts in another set of a member that it aborted", async () => {
  const [cause, both, last] = [await add(), await add(), await add()];
  world.setSets([setOf([cause, both]), setOf([both, last])]);
  const tasks = watchOf();
  await look(tasks);
  await abort(cause);
  await look(tasks);
  expect(isAbortAsked(both)).toBe(true);
  await abort(both);
  await look(tasks);
  await look(tasks);
  expect(isAbortAsked(last)).toBe(false);
});

it("aborts nothing because of an abort that it did not watch, nor if the set only proposes", async () => {
  const [cause, other] = [await add(), await add()];
  world.setSets([setOf([cause, other])]);
  await look(watchOf());
  await abort(cause);
  const restarted = watchOf();
  await look(restarted);
  await look(restarted);
  expect(isAbortAsked(other)).toBe(false);

  await goOn(cause);
  world.setSets([setOf([cause, other], "propose")]);
  const proposing = watchOf();
  await look(proposing);
  await abort(cause);
  await look(proposing);
  expect(isAbortAsked(other)).toBe(false);
  expect(await groups(other)).toEqual([]);
});

it("reads the sets of what has changed, each once, and follows an abort in another set when that is read", async () => {
  const [first, both, last] = [await add(), await add(), await add()];
  const [one, two] = [setOf([first, both]), setOf([both, last])];
  world.setSets([one, two]);
  const { pool, asked } = keepQueries(world.recorder);
  // Only the first look is at all sets.
  const tasks = createBarrierTasks({ ...recorder(), pool }, { readEveryMs: 600_000 });
  const readSets = async (changed: TestRollout) => {
    await logRolloutChange(world.owner, changed.path);
    await markSettled(world.owner);
    asked.length = 0;
    await look(tasks);
    const reads = asked.filter(({ text }) => text.includes("is_quarantined"));
    const rows = await Promise.all(reads.map(({ text, values }) => world.recorder.query(text, values)));
    return rows.map((answer) => answer.rows.map(({ id }) => id).sort());
  };
  const idsOf = (...rollouts: TestRollout[]) => rollouts.map(({ id }) => id).sort();
  await look(tasks);
  expect(await readSets(first)).toEqual([idsOf(first, both)]);
  await abort(both);
  // The abort is seen before its change is: the other set is not read yet.
  const [read] = await readSets(first);
  expect(read).toEqual(idsOf(first, both));
  expect([first, last].map(isAbortAsked)).toEqual([true, false]);
  const reads = await readSets(both);
  expect(reads[0]).toEqual(idsOf(first, both, last));
  expect(isAbortAsked(last)).toBe(true);
  expect((await groups(last)).length).toBe(1);
});

it("tries again after a refusal that may pass, but not at once", async () => {
  const [cause, other] = [await add(), await add()];
  const set = setOf([cause, other]);
  world.setSets([set]);
  const runtime = recorder();
  const place = createAbortsPlace();
  const follow = async () => {
    const { sets } = runtime.config().config;
    const members = [...(await readTogether({ pool: world.recorder, all: sets, sets })).values()];
    await (await followSetAborts({ runtime, place, sets, members })).finished;
  };
  await follow();
  await abort(cause);
  const ends = [1, 2, 3].map(() => beginRun(runtime, `protective ${gatehouseKey}`));
  await follow();
  for (const end of ends) end?.();
  await follow();
  expect(isAbortAsked(other)).toBe(false);
  place.nextLook.clear();
  await follow();
  expect(isAbortAsked(other)).toBe(true);
});

it("aborts at most once if the recorder dies between any two statements", async () => {
  const play = async (point?: CrashPoint) => {
    const [cause, other] = [await add(), await add()];
    world.setSets([setOf([cause, other])]);
    const runtime = recorder();
    const tasks = watchOf(runtime);
    await look(tasks);
    await abort(cause);
    const fuse = createFuse(point);
    runtime.pool = createCrashingPool(world.recorder, fuse);
    await look(tasks).catch((error: unknown) => {
      if (!fuse.isBlown()) throw error;
    });
    await world.owner.query(
      `UPDATE action SET requested_at = requested_at - interval '5 min', deadline_at = deadline_at - interval '5 min'
        WHERE outcome_seq IS NULL`,
    );
    await followActions({ pool: world.recorder, clusterFor: () => world.client });
    const isAborted = isAbortAsked(other);
    await look(watchOf());
    // The next recorder did not watch the abort: it finds out what became of this one, and begins no other.
    expect(isAbortAsked(other)).toBe(isAborted);
    const { rows } = await world.owner.query(
      "SELECT state, outcome_seq IS NOT NULL AS ended FROM action WHERE rollout_id = $1",
      [other.id],
    );
    if (isAborted) expect(rows).toEqual([{ state: "applied", ended: true }]);
    else expect(rows.filter(({ state }) => state !== "refused")).toEqual([]);
    return { steps: fuse.steps(), isAborted };
  };
  const { steps, isAborted } = await play();
  expect(isAborted).toBe(true);
  const aborted: boolean[] = [];
  for (let step = 1; step <= steps; step++) aborted.push((await play({ step, when: "before" })).isAborted);
  expect(new Set(aborted)).toEqual(new Set([true, false]));
});
