import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AdminStorage } from "#lib/contract/admin.ts";
import { computeDaysLeft, getAdminStorage } from "#lib/server/admin/get-storage.ts";
import { computeRate, sumPartitions, timesOfPartitions } from "#lib/server/admin/read-tables.ts";
import { appendAudit, systemActor } from "#lib/server/audit/append-audit.ts";
import { Config } from "#lib/server/platform/config/config-schema.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { actorOf } from "#test/acting-world.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createTestPool } from "#test/test-pool.ts";

const day = 86_400_000;

describe("computeDaysLeft", () => {
  it.each([
    { name: "no limit", limitBytes: null, bytes: 1, bytesPerDay: 1, left: null },
    { name: "unknown growth", limitBytes: 10, bytes: 1, bytesPerDay: null, left: null },
    { name: "no growth", limitBytes: 10, bytes: 1, bytesPerDay: 0, left: null },
    { name: "reached", limitBytes: 10, bytes: 10, bytesPerDay: null, left: 0 },
    { name: "a rate", limitBytes: 10, bytes: 4, bytesPerDay: 2, left: 3 },
  ])("$name", ({ left, ...given }) => {
    expect(computeDaysLeft(given)).toBe(left);
  });
});

describe("computeRate", () => {
  it.each([
    { rows: 70, sinceMs: 30 * day, rate: 10 },
    { rows: 70, sinceMs: day, rate: 70 },
    { rows: 0, sinceMs: 30 * day, rate: 0 },
    { rows: 5, sinceMs: 60_000, rate: null },
  ])("$rows rows in $sinceMs ms", ({ rate, ...given }) => {
    expect(computeRate(given)).toBe(rate);
  });
});

describe("partitions", () => {
  const part = (name: string, rows: number, bytes = "8192") => ({
    ...{ name, parent: "measurement", rows, bytes, index_bytes: "4096", toast_bytes: "0" },
  });
  it("are added to their table, and a part without an estimate makes the sum unknown", () => {
    const [known] = sumPartitions([part("measurement_2026_10", 100), part("measurement_2026_11", 50)]);
    expect(known).toMatchObject({ table: "measurement", rows: 150, bytes: 16_384, partitions: { length: 2 } });
    expect(sumPartitions([part("measurement_2026_10", 100), part("measurement_2026_11", -1)])[0]?.rows).toBeNull();
    // Only its indexes take space: it is empty.
    expect(sumPartitions([part("measurement_2026_10", 100), part("measurement_default", -1, "4096")])[0]?.rows).toBe(
      100,
    );
  });
  it("tell the oldest month and the growth of this month, not of months to come", () => {
    const now = new Date("2026-11-21T00:00:00Z");
    const parts = [
      { name: "measurement_2026_12", rows: null, bytes: 0 },
      { name: "measurement_2026_11", rows: 200, bytes: 0 },
      { name: "measurement_2026_09", rows: 10, bytes: 0 },
      { name: "measurement_2026_08", rows: 0, bytes: 0 },
      { name: "measurement_default", rows: 0, bytes: 0 },
    ];
    expect(timesOfPartitions(parts, now)).toEqual({
      oldest: new Date("2026-09-01T00:00:00Z"),
      newest: null,
      rowsPerDay: 10,
    });
    expect(timesOfPartitions(parts, new Date("2026-10-02T00:00:00Z")).rowsPerDay).toBeNull();
  });
});

describe("the storage of a database", () => {
  let database: TestDatabase;
  let web: ReturnType<typeof createTestPool>;
  let owner: ReturnType<typeof createTestPool>;
  beforeAll(async () => {
    database = await createTestDatabase();
    web = createTestPool(database.webUrl);
    owner = createTestPool(database.ownerUrl);
    await owner.query(
      `INSERT INTO change_log (kind, ref, op, at)
       SELECT 'source', 'x', 'upsert', now() - make_interval(hours => n) FROM generate_series(700, 1, -1) AS n`,
    );
    await owner.query("INSERT INTO source_lease VALUES ('a/rollouts', 'recorder-1', 1, now() + interval '9 seconds')");
    await owner.query("INSERT INTO source_lease VALUES ('b/rollouts', 'recorder-2', 1, now() - interval '9 seconds')");
    await owner.query("INSERT INTO source_lease VALUES ('upkeep', 'recorder-1', 1, now() + interval '9 seconds')");
    await appendAudit({
      pool: web,
      entry: {
        ...{
          actor: systemActor,
          source: "system",
          code: "retention.deleted",
          outcome: "applied",
          requestId: randomUUID(),
        },
        detail: { rows: { kube_event: 12 } },
      },
    });
    await owner.query("ANALYZE");
  });
  afterAll(async () => {
    await Promise.all([web.end(), owner.end()]);
    await database.drop();
  });

  const config = (more: object = {}) =>
    Config.parse({
      publicUrl: "http://127.0.0.1:1",
      demo: { accountsFile: "x" },
      clusters: [{ name: "a", server: "http://127.0.0.1:1" }],
      ...more,
    });
  async function read(more: object = {}, actor = actorOf("admin")): Promise<AdminStorage> {
    const runtime = { pool: web, config: () => ({ config: config(more) }), now: () => new Date() };
    return getAdminStorage({ ctx: { runtime, actor, requestId: "r" } as unknown as ServiceContext });
  }
  const tableOf = (storage: AdminStorage, name: string) => storage.tables.find(({ table }) => table === name);

  it("is told by table, with its times, growth and retention", async () => {
    const storage = await read();
    expect(tableOf(storage, "change_log")).toMatchObject({
      // The entry of the log is a change too.
      rows: 701,
      rowsPerDay: expect.closeTo(24, 0),
      timesFrom: "at",
      retention: null,
      problem: null,
    });
    expect(tableOf(storage, "kube_event")).toMatchObject({ retention: "90d", retentionKey: "retention.events" });
    expect(tableOf(storage, "measurement")?.partitions).toBeGreaterThan(0);
    expect(tableOf(storage, "user_account")).toMatchObject({ timesFrom: null, rowsPerDay: null, rows: 0 });
    expect(storage.tables.every(({ problem }) => problem === null || problem.includes("no right"))).toBe(true);
    expect(storage).toMatchObject({ limitBytes: null, daysLeft: null });
    expect(storage.databaseBytes).toBeGreaterThan(1_000_000);
  });

  it("says when a limit is reached", async () => {
    const storage = await read({ storageGigabytes: 50 });
    expect(storage.limitBytes).toBe(50e9);
    expect(storage.daysLeft).toBeGreaterThan(1);
    expect(await read({ storageGigabytes: 0.000001 })).toMatchObject({ daysLeft: 0 });
  });

  it("tells leases, queues and what retention removed", async () => {
    const storage = await read();
    expect(storage.leases).toEqual({
      ...{ sources: 2, expired: 1, holders: ["recorder-1"], upkeep: "recorder-1", problem: null },
    });
    expect(storage.retention).toMatchObject({ doneAt: null, removed: { rows: { kube_event: 12 } } });
    expect(storage.queues.length).toBeGreaterThan(3);
    for (const { depth, problem } of storage.queues)
      expect(problem === null ? typeof depth : problem).toMatch(/number|no right/);
  });

  it("says what the web's role may not read, and shows the rest", async () => {
    await owner.query("REVOKE SELECT ON change_log FROM gatehouse_web");
    try {
      const storage = await read();
      expect(tableOf(storage, "change_log")).toMatchObject({
        rows: 701,
        rowsPerDay: null,
        problem: "Gatehouse's web role has no right to read it.",
      });
      expect(storage.tables.length).toBeGreaterThan(20);
    } finally {
      await owner.query("GRANT SELECT ON change_log TO gatehouse_web");
    }
  });

  it("is for nobody but an admin", async () => {
    await expect(read({}, actorOf("operator"))).rejects.toMatchObject({ code: "forbidden" });
  });
});
