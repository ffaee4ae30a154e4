import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import { listLiveUids } from "#lib/server/recording/kinds/kind-rows.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createTestPool } from "#test/test-pool.ts";

let database: TestDatabase;
let owner: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = createTestPool(database.ownerUrl);
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

/** Required columns without a default that the inserts do not name. */
const others: Record<string, string> = {
  analysis_run: "rollout_id, type, phase, message, spec",
  replica_set: "replicas, ready, available, desired, images",
  experiment: "phase, message, object",
  pod: "phase, ready, containers, ready_containers, restarts",
};
const values: Record<string, string> = {
  analysis_run: "gen_random_uuid(), 'step', 'Successful', '', jsonb_build_object('filler', repeat('x', 1500))",
  replica_set: "1, 1, 1, 1, '[]'",
  experiment: "'Successful', '', '{}'",
  pod: "'Running', true, 1, 1, 0",
};

/** Inserts 20 000 objects of the past and 20 live ones. */
async function fill(table: string): Promise<void> {
  await owner.query(
    `INSERT INTO ${table} (uid, cluster, namespace, name, resource_version, created_at, updated_at, presence, gone_at, ${others[table]})
     SELECT 'uid-' || n, 'test', 'shop', 'n' || n, '1', now(), now(), CASE WHEN n <= 20 THEN 'live' ELSE 'deleted' END,
       CASE WHEN n <= 20 THEN NULL ELSE now() - make_interval(mins => n) END, ${values[table]}
       FROM generate_series(1, 20000) AS n`,
  );
  await owner.query(`ANALYZE ${table}`);
}

/** Counts the rows that a plan discards, over all of its nodes. */
function countDiscarded(plan: Record<string, unknown>): number {
  const inner = Array.isArray(plan.Plans) ? plan.Plans.map(countDiscarded) : [];
  const own = typeof plan["Rows Removed by Filter"] === "number" ? plan["Rows Removed by Filter"] : 0;
  return own + inner.reduce((sum, each) => sum + each, 0);
}

async function discardedBy(sql: string, parameters: unknown[]): Promise<number> {
  const { rows } = await owner.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, parameters);
  return countDiscarded(rows[0]["QUERY PLAN"][0].Plan);
}

describe("the objects that are there, among all that ever were", () => {
  it.each([
    { table: "analysis_run", resource: "analysisruns" },
    { table: "replica_set", resource: "replicasets" },
    { table: "experiment", resource: "experiments" },
  ] as const)("are found in $table without reading the past", async ({ table, resource }) => {
    await fill(table);
    const source = sourcesOf({ name: "test" }).find((each) => each.resource === resource);
    if (source === undefined) throw new Error("it is not watched");
    let sent: { sql: string; parameters: unknown[] } | undefined;
    const client = await owner.connect();
    const spy = {
      query: ({ text, values: parameters }: { text: string; values: unknown[] }) => {
        sent = { sql: text, parameters };
        return client.query(text, parameters);
      },
    };
    const found = await listLiveUids(spy as never, table, source).finally(() => client.release());
    expect(found).toHaveLength(20);
    expect(await discardedBy(sent?.sql ?? "", sent?.parameters ?? [])).toBeLessThan(100);
  });

  it("pods that went long ago are found without reading the others", async () => {
    await fill("pod");
    const bound = new Date(Date.now() - 19_900 * 60_000);
    expect(await discardedBy("SELECT uid FROM pod WHERE gone_at < $1 LIMIT 10000", [bound])).toBeLessThan(100);
  });
});
