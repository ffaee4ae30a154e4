import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Release } from "#lib/domain/delivery/derive-releases.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { addCluster } from "#test/add-cluster.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createTestPool } from "#test/test-pool.ts";
import { whileChanging } from "#test/while-changing.ts";
import { writeReleases } from "./write-history.ts";

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

describe("a release that others change at the same time", () => {
  it("is stored all the same: no insert fails at another unique index", async () => {
    const rolloutId = randomUUID();
    await addCluster(owner, "test");
    await owner.query(
      `INSERT INTO rollout (id, cluster, namespace, kind, name, uid, phase, message, step_count, view_digest, revision_key,
         resource_version, object, updated_at)
       VALUES ($1, 'test', 'shop', 'Rollout', 'r', 'r', 'Healthy', '', 0, '', '', '1', '{}', now())`,
      [rolloutId],
    );
    const startedAt = new Date().toISOString();
    const store = (count: number) => {
      const value = { runKey: "a", revision: 1, attempt: 1, state: "progressing", images: [], endedAt: null } as const;
      const release: Release = { ...value, images: [...value.images], message: String(count), startedAt };
      return inTransaction(owner, (tx) => writeReleases(tx, [{ rolloutId, value: release }], startedAt));
    };
    await store(1);
    // As its figures are: the column is in the condition of an index.
    const update =
      "UPDATE release SET figured_at = clock_timestamp(), ended_at = clock_timestamp() WHERE rollout_id = $1";
    await whileChanging(owner, [update, [rolloutId]], async () => {
      for (let count = 2; count < 500; count++) await store(count);
    });
    const { rows } = await owner.query("SELECT message FROM release WHERE rollout_id = $1", [rolloutId]);
    expect(rows).toEqual([{ message: "499" }]);
  });
});
