import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { plainEntries } from "#test/plain-entries.ts";
import { createTestPool } from "#test/test-pool.ts";
import { loadKnownPasses } from "./rollout-row.ts";

let database: TestDatabase;
let owner: Pool;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = createTestPool(database.ownerUrl, 1);
  pool = createTestPool(database.recorderUrl, 1);
});
afterAll(async () => {
  await Promise.all([owner.end(), pool.end()]);
  await database.drop();
});

const held = { mayLoseGates: true };
const expectedEffect = { podHash: "abc" };

const plans = [
  { plan: { passesPauses: [1, 3], expectedEffect }, known: [1, 3].map((step) => ({ runKey: "abc", step })) },
  { plan: { passesPauses: [2], runKey: "def", expectedEffect }, known: [{ runKey: "def", step: 2 }] },
  { plan: { passesPauses: [0] }, known: [{ runKey: "", step: 0 }] },
  {
    plan: { passesPauses: ["gate", 2.5, -1, null, {}, [1], 1e30, 4], expectedEffect },
    known: [{ runKey: "abc", step: 4 }],
  },
  { plan: { passesPauses: ["1e"], expectedEffect: "abc" }, known: undefined },
  { plan: { passesPauses: { step: 1 } }, known: undefined },
  { plan: [1], known: undefined },
  { plan: {}, known: undefined },
];

it.each(plans)(
  "reads the pauses that a stored plan names, whatever else stands there: $plan",
  async ({ plan, known }) => {
    const id = randomUUID();
    await owner.query(
      `WITH entry AS (${plainEntries(1)})
       INSERT INTO action (id, rollout_id, cluster, namespace, kind, name, action, state, actor_key, actor_name, view_digest,
       request_hash, request_id, intent_seq, plan)
     VALUES ($1, $2, 'test', 'ns', 'Rollout', 'api', 'continue', 'effective', 'key', 'Anna', 'digest', 'hash', $3, 1, $4)`,
      [randomUUID(), id, randomUUID(), JSON.stringify(plan)],
    );
    const passes = await inTransaction(pool, (tx) => loadKnownPasses(tx, [{ id, rollout: held }]));
    expect(passes.get(id)).toEqual(known);
  },
);
