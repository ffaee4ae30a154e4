import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { getAction } from "#lib/server/acting/act/get-action.ts";
import { followActions } from "#lib/server/acting/follow/follow-actions.ts";
import { ClusterUnreachableError } from "#lib/server/clusters/kubernetes/cluster-errors.ts";
import { type ActingWorld, actorOf, createActingWorld, type TestRollout } from "#test/acting-world.ts";
import { createTestPool } from "#test/test-pool.ts";

let world: ActingWorld;

beforeAll(async () => {
  world = await createActingWorld();
});
afterEach(() => world.setIntercept(undefined));
afterAll(() => world.close());

const follow = (pool = world.recorder) =>
  followActions({
    pool,
    clusterFor: () => world.client,
    onError: (error) => {
      throw error;
    },
  });

const abortedBy = (status: Record<string, unknown>) => ({ ...status, abort: true, abortedAt: "2026-11-20T10:05:00Z" });

/** Makes the action look as if it was requested this much earlier. */
async function age(id: string, seconds: number): Promise<void> {
  await world.owner.query(
    `UPDATE action SET requested_at = requested_at - $2 * interval '1 second', applied_at = applied_at - $2 * interval '1 second',
       deadline_at = deadline_at - $2 * interval '1 second', look_at = look_at - $2 * interval '1 second',
       watch_until = watch_until - $2 * interval '1 second' WHERE id = $1`,
    [id, seconds],
  );
}

/** Creates an abort that the controller has not acted on by its deadline. */
async function awaited(): Promise<{ rollout: TestRollout; id: string }> {
  const rollout = await world.addRollout();
  const { id } = await world.act({ rollout, action: "abort" });
  await rollout.record();
  await age(id, 31);
  await follow();
  // The version that was recorded by then is judged once more, then never again.
  await follow();
  world.requests.length = 0;
  return { rollout, id };
}

async function wireOf(id: string) {
  return getAction({ ctx: world.contextOf(actorOf("operator")), input: { id } });
}

async function laterEntriesOf(rollout: TestRollout) {
  return (await world.entriesOf(rollout)).filter(({ source }) => source === "system");
}

it("without an effect by its deadline it has no effect yet, and is watched on", async () => {
  const { rollout, id } = await awaited();
  const action = await wireOf(id);
  expect(action).toMatchObject({ state: "not-effective", final: false, why: "awaited", effectiveAt: null });
  const hours = (Date.parse(action.watchedUntil ?? "") - Date.parse(action.appliedAt ?? "")) / 3_600_000;
  expect(hours).toBeCloseTo(24, 3);
  expect(await laterEntriesOf(rollout)).toMatchObject([{ code: "action.without-effect", detail: { watched: true } }]);
});

it("a change of what is recorded is judged at once: it took effect after all, said once by several recorders", async () => {
  const { rollout, id } = await awaited();
  rollout.setStatus(abortedBy);
  await rollout.record();
  await age(id, 300);
  await world.owner.query("UPDATE action SET look_at = now() + interval '1 minute' WHERE id = $1", [id]);
  await Promise.all([follow(), follow(), follow()]);
  expect(await wireOf(id)).toMatchObject({ state: "effective", final: true, why: null, watchedUntil: null });
  expect(world.requests).toEqual([]);
  const [, later, ...more] = await laterEntriesOf(rollout);
  expect(later).toMatchObject({ code: "action.took-effect", action: "abort", actionId: id });
  expect(later?.detail?.afterSeconds).toBeGreaterThanOrEqual(331);
  expect(later?.detail?.requestedBy).toMatchObject({ subject: "operator-person" });
  expect(more).toEqual([]);
});

it("is watched on by another recorder, which knows nothing of the first", async () => {
  const { rollout, id } = await awaited();
  rollout.setStatus(abortedBy);
  await rollout.record();
  const { connectionString } = world.recorder.options;
  const other = createTestPool(connectionString ?? "");
  await follow(other);
  await other.end();
  expect(await wireOf(id)).toMatchObject({ state: "effective" });
});

it("while nothing changes the cluster is asked now and then, and ever less often", async () => {
  const { id } = await awaited();
  await follow();
  expect(world.requests).toEqual([]);
  const lookAfter = async (seconds: number) => {
    await age(id, seconds);
    await follow();
    const { rows } = await world.owner.query(
      "SELECT extract(epoch FROM look_at - now())::float8 AS s FROM action WHERE id = $1",
      [id],
    );
    return Math.round(rows[0].s);
  };
  expect(await lookAfter(60)).toBeLessThan(15);
  expect(world.requests).toHaveLength(1);
  expect(await lookAfter(7_200)).toBe(60);
  expect(world.requests).toHaveLength(2);
  await follow();
  expect(world.requests).toHaveLength(2);
  expect(await wireOf(id)).toMatchObject({ state: "not-effective", final: false });
});

it("an effect that the record does not show is found in the cluster", async () => {
  const { rollout, id } = await awaited();
  rollout.setStatus(abortedBy);
  await follow();
  expect(await wireOf(id)).toMatchObject({ state: "not-effective" });
  await age(id, 3_600);
  await follow();
  expect(await wireOf(id)).toMatchObject({ state: "effective" });
});

it("what takes its place ends the watching, with an entry of its own", async () => {
  const { rollout, id } = await awaited();
  rollout.setStatus((status) => ({ ...status, abort: false, promoteFull: true }));
  await rollout.record();
  await Promise.all([follow(), follow()]);
  expect(await wireOf(id)).toMatchObject({
    state: "not-effective",
    final: true,
    why: "superseded",
    watchedUntil: null,
    message: "The controller dropped the abort: full promotion was requested and is still in progress.",
  });
  expect((await laterEntriesOf(rollout)).map(({ code }) => code)).toEqual([
    "action.without-effect",
    "action.superseded",
  ]);
  rollout.setStatus(abortedBy);
  await rollout.record();
  await follow();
  expect(await wireOf(id)).toMatchObject({ state: "not-effective", final: true });
});

it.each([
  { name: "that answers", away: false, says: "Gave up after 24 hours. The controller has not picked it up." },
  { name: "that is away", away: true, says: "Gave up after 24 hours. The cluster gave no answer." },
])("is given up after a day, with a cluster $name", async ({ away, says }) => {
  const { rollout, id } = await awaited();
  if (away)
    world.setIntercept(() => {
      throw new ClusterUnreachableError({ cluster: "prod-eu", sent: false, message: "away" });
    });
  await age(id, 86_400);
  await Promise.all([follow(), follow()]);
  expect(await wireOf(id)).toMatchObject({ state: "not-effective", final: true, why: "given-up", message: says });
  expect((await laterEntriesOf(rollout)).map(({ code }) => code)).toEqual(["action.without-effect", "action.given-up"]);
});
