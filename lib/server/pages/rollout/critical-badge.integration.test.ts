import { afterAll, beforeAll, expect, it } from "vitest";
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
