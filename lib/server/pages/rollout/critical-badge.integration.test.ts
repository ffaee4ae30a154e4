import { afterAll, beforeAll, expect, it } from "vitest";
import { getInbox } from "#lib/server/pages/inbox/get-inbox.ts";
import { listReleases } from "#lib/server/pages/release/list-releases.ts";
import { listRollouts } from "#lib/server/pages/rollout/list-rollouts.ts";
import { type ActingWorld, actorOf, createActingWorld } from "#test/acting-world.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

it.each([
  { name: "of a known rule", rule: "verdict-contradicts", badge: "Verdict mismatch" },
  { name: "of a rule of another version", rule: "unheard-of", badge: undefined },
  { name: "that is acknowledged", rule: "verdict-contradicts", acknowledged: true, badge: undefined },
])("lists of rollouts and releases name the critical finding $name", async ({ rule, acknowledged = false, badge }) => {
  const { id, path } = await world.addRollout();
  const { cluster, namespace, name } = path;
  await world.owner.query("UPDATE rollout SET open_findings = 1, worst_finding = 'critical' WHERE id = $1", [id]);
  await world.owner.query(
    `INSERT INTO release (id, rollout_id, run_key, attempt, state, message, started_at, updated_at)
     VALUES (gen_random_uuid(), $1, 'v2', 1, 'promoted', '', now(), now())`,
    [id],
  );
  await world.owner.query(
    `INSERT INTO finding (id, about, subject, rollout_id, cluster, namespace, kind, name, rule, run_key, severity, title,
       evidence, since, acknowledged_at)
     VALUES (gen_random_uuid(), 'rollout', $1::uuid::text, $1::uuid, $2, $3, 'Rollout', $4, $5, 'v2', 'critical', 'Wrong',
       '[]', now(), CASE WHEN $6 THEN now() END)`,
    [id, cluster, namespace, name, rule, acknowledged],
  );
  const call = { ctx: world.contextOf(actorOf("operator")), input: { limit: 50, namespace } };
  const [rollouts, releases] = await Promise.all([listRollouts(call), listReleases(call)]);
  expect(rollouts.items.map(({ findings }) => findings.badge)).toEqual([badge]);
  expect(releases.items.filter(({ runKey }) => runKey === "v2").map(({ findings }) => findings.badge)).toEqual([badge]);
});

it.each(["inconclusive", "pause", "degraded", "finding"])(
  "says why a rollout waits as the inbox does: %s",
  async (reason) => {
    const { id, path } = await world.addRollout();
    const { namespace } = path;
    await world.owner.query(
      `UPDATE rollout SET attention_reason = $2, attention_severity = 'warning', attention_since = now(), message = '',
       open_findings = CASE $2 WHEN 'finding' THEN 1 ELSE 0 END, worst_finding = CASE $2 WHEN 'finding' THEN 'critical' END
     WHERE id = $1`,
      [id, reason],
    );
    if (reason === "finding")
      await world.owner.query(
        `INSERT INTO finding (id, about, subject, rollout_id, cluster, namespace, kind, name, rule, run_key, severity, title,
         evidence, since)
       VALUES (gen_random_uuid(), 'rollout', $1::uuid::text, $1::uuid, $2, $3, 'Rollout', $4, 'verdict-contradicts', 'v2',
         'critical', 'Wrong', '[]', now())`,
        [id, path.cluster, namespace, path.name],
      );
    if (reason === "inconclusive")
      await world.owner.query(
        `WITH run AS (INSERT INTO analysis_run (uid, rollout_id, cluster, namespace, name, type, phase, message, spec,
           resource_version, presence, pod_hash, created_at, updated_at)
         SELECT 'run-' || id, id, cluster, namespace, 'a', 'Step', 'Inconclusive', '',
           '{"metrics": [{"name": "success-rate", "inconclusiveLimit": 3}]}', '1', 'live', revision_key, now(), now()
         FROM rollout WHERE id = $1 RETURNING uid, rollout_id)
       INSERT INTO metric (rollout_id, run_uid, name, phase, message, count, inconclusive)
       SELECT rollout_id, uid, 'success-rate', 'Inconclusive', '', 13, 4 FROM run`,
        [id],
      );
    const ctx = world.contextOf(actorOf("operator"));
    const [listed, inbox] = await Promise.all([
      listRollouts({ ctx, input: { limit: 50, namespace } }),
      getInbox({ ctx, input: { limit: 200, answered: "false" } }),
    ]);
    const [item] = listed.items;
    const { sentence } = inbox.items.find(({ rollout }) => rollout.namespace === namespace) ?? {};
    expect(sentence).toBeDefined();
    expect(item?.sentence).toBe(sentence);
    if (reason === "inconclusive") expect(sentence).toContain("success-rate is Inconclusive");
  },
);

it("gives no reason for a rollout that needs nothing", async () => {
  const { id, path } = await world.addRollout();
  await world.owner.query("UPDATE rollout SET attention_reason = NULL, attention_since = NULL WHERE id = $1", [id]);
  const { items } = await listRollouts({
    ctx: world.contextOf(actorOf("operator")),
    input: { limit: 50, namespace: path.namespace },
  });
  expect(items.map(({ sentence }) => sentence)).toEqual([null]);
});
