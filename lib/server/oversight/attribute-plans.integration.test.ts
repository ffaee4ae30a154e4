import type { Pool } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { plainEntries } from "#test/plain-entries.ts";
import { createTestPool } from "#test/test-pool.ts";
import { attributeChanges } from "./attribute-changes.ts";

let database: TestDatabase;
let owner: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = createTestPool(database.ownerUrl, 1);
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

/** Counts the rows that a plan reads in vain, over all of its nodes. */
function countRead(plan: Record<string, unknown>): number {
  const inner = Array.isArray(plan.Plans) ? plan.Plans.map(countRead) : [];
  const [removed, actual, type] = [plan["Rows Removed by Filter"], plan["Actual Rows"], String(plan["Node Type"])];
  const own = (typeof removed === "number" ? removed : 0) + (type === "Seq Scan" ? Number(actual) : 0);
  return own + inner.reduce((sum, each) => sum + each, 0);
}

it("a pass reads what is due, and nothing of the many changes that are open", async () => {
  await owner.query(plainEntries(1, 20_000));
  await owner.query(
    `INSERT INTO unasked_change (rollout_id, observation_id, audit_seq, cluster, namespace, kind, name, target_kind,
       target_name, action, window_from, window_to, at, state, look_at)
     SELECT gen_random_uuid(), 0, n, 'test', 'shop', 'Rollout', 'r' || n, 'Rollout', 'r' || n, 'abort', now(), now(), now(),
       'open', CASE WHEN n <= 20 THEN now() - interval '1 hour' ELSE now() + interval '1 hour' END
       FROM generate_series(1, 20000) AS n`,
  );
  await owner.query("ANALYZE");
  const plans: Record<string, unknown>[] = [];
  const spy = {
    async query({ text, values }: { text: string; values: unknown[] }) {
      await owner.query("BEGIN");
      const { rows } = await owner.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
      await owner.query("ROLLBACK");
      plans.push(rows[0]["QUERY PLAN"][0].Plan);
      return owner.query(text, values);
    },
  } as unknown as Pool;
  let asked = 0;
  const rulesOf = () => {
    asked += 1;
    return undefined;
  };
  const attributing = { rulesOf, now: () => new Date() };
  await attributeChanges({ pool: spy, attributing, onError: () => {} });
  expect([asked, plans.length]).toEqual([20, 2]);
  for (const plan of plans) expect(countRead(plan)).toBeLessThan(50);
});
