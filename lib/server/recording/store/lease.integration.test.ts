import type { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { waitFor } from "#test/recorder-world.ts";
import { startTcpProxy } from "#test/tcp-proxy.ts";
import { createTestPool } from "#test/test-pool.ts";
import { acquireLease, assertLease, isHeld, type Lease, LeaseLostError, releaseLease, renewLease } from "./lease.ts";
import { createRecorderPool } from "./recorder-pool.ts";

const sourceId = "demo/rollouts";
const first = "host/1/00000000-0000-4000-8000-000000000001";
const second = "host/2/00000000-0000-4000-8000-000000000002";

let database: TestDatabase;
let owner: Pool;
const pools: Pool[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  owner = createTestPool(database.ownerUrl);
});
beforeEach(async () => {
  await owner.query("DELETE FROM source_lease");
});
afterAll(async () => {
  await Promise.all([owner, ...pools].map((pool) => pool.end()));
  await database.drop();
});

function poolOf(holder: string, url = database.recorderUrl): Pool {
  const pool = createRecorderPool({ url, holder, onError: () => {} });
  pool.on("connect", (client) => client.on("error", () => {}));
  pools.push(pool);
  return pool;
}

async function take(pool: Pool, holder: string): Promise<Lease> {
  const lease = await acquireLease(pool, { sourceId, holder });
  if (lease === undefined) throw new Error("the lease is held");
  return lease;
}

const expire = () => owner.query("UPDATE source_lease SET expires_at = clock_timestamp() - interval '1 second'");

describe("a lease", () => {
  it("goes to one, stays there while it lasts, and goes on with the next epoch", async () => {
    const pool = poolOf(first);
    const lease = await take(pool, first);
    expect(lease.epoch).toBe("1");
    expect(await acquireLease(pool, { sourceId, holder: second })).toBeUndefined();
    await expire();
    expect(await take(pool, second)).toEqual({ sourceId, holder: second, epoch: "2" });
    await expect(renewLease(pool, lease)).rejects.toThrow(LeaseLostError);
    expect(await isHeld(pool, lease)).toBe(false);
  });

  it("goes to one of many that ask at once", async () => {
    const pool = poolOf(first);
    const asked = await Promise.all(
      Array.from({ length: 8 }, (_, index) => acquireLease(pool, { sourceId, holder: `holder-${index}` })),
    );
    expect(asked.filter((lease) => lease !== undefined)).toHaveLength(1);
  });

  it("lives again where it ran out and nobody took it", async () => {
    const pool = poolOf(first);
    const lease = await take(pool, first);
    await expire();
    await renewLease(pool, lease);
    expect(await acquireLease(pool, { sourceId, holder: second })).toBeUndefined();
  });

  it("is renewed together with others, of which one may be lost and one locked", async () => {
    const pool = poolOf(first);
    const leases = await Promise.all(
      ["demo/a", "demo/b", "demo/c"].map((each) => acquireLease(pool, { sourceId: each, holder: first })),
    );
    await expire();
    await acquireLease(poolOf(second), { sourceId: "demo/b", holder: second });
    const locking = await owner.connect();
    await locking.query("BEGIN");
    await locking.query("SELECT FROM source_lease WHERE source_id = 'demo/c' FOR UPDATE");
    const renewed: string[] = [];
    const renewals = leases.map(async (lease) => {
      if (lease === undefined) throw new Error("the lease is held");
      await renewLease(pool, lease);
      renewed.push(lease.sourceId);
    });
    const lost = expect(renewals[1]).rejects.toThrow(LeaseLostError);
    await renewals[0];
    await lost;
    expect(renewed).toEqual(["demo/a"]);
    await locking.query("COMMIT");
    locking.release();
    await renewals[2];
    expect(renewed).toEqual(["demo/a", "demo/c"]);
  });

  it("is free at once when it is given back", async () => {
    const pool = poolOf(first);
    await releaseLease(pool, await take(pool, first));
    expect((await take(pool, second)).epoch).toBe("2");
  });

  it("is renewed beside a batch that takes long, and taken over only after it", async () => {
    const pool = poolOf(first);
    const lease = await take(pool, first);
    const tx = await pool.connect();
    await tx.query("BEGIN");
    await assertLease(tx, lease);
    await renewLease(pool, lease);
    await expire();
    const other = poolOf(second);
    let isTaken = false;
    const taking = take(other, second).then((taken) => {
      isTaken = true;
      return taken;
    });
    await waitFor("that it waits", async () => {
      const { rowCount } = await owner.query("SELECT 1 FROM pg_locks WHERE NOT granted");
      return (rowCount ?? 0) > 0;
    });
    expect(isTaken).toBe(false);
    await tx.query("COMMIT");
    tx.release();
    expect((await taking).epoch).toBe("2");
  });

  it("refuses the batch of a holder that lost it", async () => {
    const pool = poolOf(first);
    const lease = await take(pool, first);
    await expire();
    await take(pool, second);
    const tx = await pool.connect();
    await tx.query("BEGIN");
    await expect(assertLease(tx, lease)).rejects.toThrow(LeaseLostError);
    await tx.query("ROLLBACK");
    tx.release();
  });

  it("is taken from a holder that was stopped while it was sending a statement", async () => {
    const proxy = await startTcpProxy({ port: Number(new URL(database.recorderUrl).port) });
    const stopped = poolOf(first, proxy.throughProxy(database.recorderUrl));
    const lease = await take(stopped, first);
    const tx = await stopped.connect();
    await tx.query("BEGIN");
    await assertLease(tx, lease);
    proxy.stallAfter(5000);
    // The session's time-outs do not end it: the database waits for the rest of the statement.
    const sending = tx.query("SELECT length($1)", ["x".repeat(1_000_000)]).then(
      () => "answered",
      () => "ended",
    );
    await expire();
    const other = poolOf(second);
    const taken = await waitFor("the take-over", () =>
      acquireLease(other, { sourceId, holder: second }).catch(() => undefined),
    );
    expect(taken.epoch).toBe("2");
    expect(await sending).toBe("ended");
    tx.release(true);
    await proxy.close();
  });
});
