import { afterAll, beforeAll, expect, it } from "vitest";
import { InboxItem } from "#lib/contract/inbox.ts";
import { getInbox } from "#lib/server/pages/inbox/get-inbox.ts";
import { type ActingWorld, actorOf, createActingWorld } from "#test/acting-world.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

const startTime = "2026-11-20T10:00:00Z";
const steps = [{ setWeight: 20 }, { pause: { duration: "10m" } }, { setWeight: 60 }];
const timed = { currentStepIndex: 1, pauseConditions: [{ reason: "CanaryPauseStep", startTime }] };
const lost = { canary: { currentBackgroundAnalysisRunStatus: { name: "b", status: "Inconclusive" } } };

it.each([
  {
    name: "a timed pause that hides an Inconclusive run",
    status: { ...timed, ...lost },
    ownAct: { text: "Continues by itself with step 3 of 3", at: "2026-11-20T10:10:00.000Z" },
  },
  {
    name: "an Inconclusive run that holds the rollout",
    status: { ...timed, pauseConditions: [...timed.pauseConditions, { reason: "InconclusiveAnalysisRun", startTime }] },
    ownAct: null,
  },
])("the inbox says what happens without anybody: $name", async ({ status, ownAct }) => {
  const rollout = await world.addRollout({ spec: { strategy: { canary: { steps } } }, status });
  await world.owner.query(
    `UPDATE rollout SET attention_reason = 'inconclusive', attention_severity = 'warning', attention_since = now()
     WHERE id = $1`,
    [rollout.id],
  );
  const { items } = await getInbox({
    ctx: world.contextOf(actorOf("viewer")),
    input: { limit: 200, answered: "false" },
  });
  const found = items.find((item) => item.rollout.namespace === rollout.path.namespace);
  expect(InboxItem.parse(found).ownAct).toEqual(ownAct);
  expect(found?.follows).toMatch(/^Then 60 %/);
});

it("the inbox offers the version promoted before to a rollout with a finding about a run, and to no other", async () => {
  const revisionsOf = async ({ reason = "finding", runUid = "run" as string | null } = {}) => {
    const rollout = await world.addRollout();
    const { cluster, namespace, name } = rollout.path;
    await world.owner.query(
      `UPDATE rollout SET attention_reason = $2, attention_severity = 'warning', attention_since = now() WHERE id = $1`,
      [rollout.id, reason],
    );
    await world.owner.query(
      `INSERT INTO finding (id, about, subject, rollout_id, cluster, namespace, kind, name, rule, severity, title, evidence,
         run_uid, since)
       VALUES (gen_random_uuid(), 'rollout', $1::uuid::text, $1::uuid, $2, $3, 'Rollout', $4, 'verdict-contradicts', 'critical', 'Wrong',
         '[]', $5, now())`,
      [rollout.id, cluster, namespace, name, runUid],
    );
    for (const [index, state] of ["promoted", "aborted", "superseded"].entries()) {
      await world.owner.query(
        `INSERT INTO replica_set (uid, cluster, namespace, name, rollout_id, pod_hash, revision, images, replicas, ready,
           available, desired, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $4, $6, '["shop:1"]', 0, 0, 0, 0, now(), now())`,
        [`${state}-${rollout.id}`, cluster, namespace, state, rollout.id, index + 1],
      );
      await world.owner.query(
        `INSERT INTO release (id, rollout_id, run_key, attempt, state, message, started_at, updated_at)
         VALUES (gen_random_uuid(), $1, $2, 1, $2, '', now(), now())`,
        [rollout.id, state],
      );
    }
    const { items } = await getInbox({
      ctx: world.contextOf(actorOf("operator")),
      input: { limit: 200, answered: "false" },
    });
    const found = items.find((item) => item.rollout.namespace === namespace);
    const item = InboxItem.parse(found);
    expect(item.finding?.badge).toBe("Verdict mismatch");
    return item.actions
      .filter(({ action }) => action === "undo")
      .map(({ allowed, revisions }) => ({ allowed, revisions: revisions?.map(({ revision }) => revision) }));
  };
  expect(await revisionsOf()).toEqual([{ allowed: true, revisions: [1] }]);
  expect(await revisionsOf({ runUid: null })).toEqual([]);
  expect(await revisionsOf({ reason: "degraded" })).toEqual([]);
});

it("the inbox lists a rollout whose newest observation cannot be read", async () => {
  const rollout = await world.addRollout({ status: timed });
  await rollout.record();
  await world.owner.query(
    `UPDATE rollout SET attention_reason = 'inconclusive', attention_severity = 'warning', attention_since = now()
     WHERE id = $1`,
    [rollout.id],
  );
  await world.owner.query("UPDATE observation SET provider = 'none' WHERE rollout_id = $1", [rollout.id]);
  const { items } = await getInbox({
    ctx: world.contextOf(actorOf("viewer")),
    input: { limit: 200, answered: "false" },
  });
  expect(items.map((item) => item.rollout.namespace)).toContain(rollout.path.namespace);
});
