import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createTestPool } from "#test/test-pool.ts";

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createTestPool(database.ownerUrl);
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

const id = "6f1c2a5e-0d4b-4c11-8f0e-5a7b3c9d2e10";
const account = { id, issuer: "issuer", subject: "subject", name: "oncall" };

describe("prismaOn", () => {
  it("writes in the transaction of its connection, beside the driver's own statements", async () => {
    const undone = inTransaction(pool, async (tx) => {
      await prismaOn(tx).userAccount.create({ data: account });
      const seen = await tx.query("SELECT name FROM user_account");
      expect(seen.rows).toEqual([{ name: "oncall" }]);
      expect(await prismaOn(pool).userAccount.count()).toBe(0);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await prismaOn(pool).userAccount.count()).toBe(0);
  });

  it("keeps calls of one tick on their own connections", async () => {
    const readNames = (connection: Parameters<typeof prismaOn>[0]) =>
      prismaOn(connection).userAccount.findMany({ select: { name: true } });
    await inTransaction(pool, async (one) => {
      await inTransaction(pool, async (other) => {
        await prismaOn(one).userAccount.create({ data: account });
        expect(await Promise.all([readNames(one), readNames(other), readNames(pool)])).toEqual([
          [{ name: "oncall" }],
          [],
          [],
        ]);
      });
      await one.query("ROLLBACK; BEGIN");
    });
  });

  it("reads and writes times as they are, whatever the zone of the session", async () => {
    await inTransaction(pool, async (tx) => {
      await tx.query("SET LOCAL TimeZone = 'Asia/Kolkata'");
      const createdAt = new Date("2026-03-01T10:20:30.456Z");
      await prismaOn(tx).userAccount.create({ data: { ...account, createdAt } });
      const stored = await tx.query("SELECT created_at FROM user_account");
      expect(stored.rows).toEqual([{ created_at: createdAt }]);
      for (const zone of ["America/New_York", "UTC", "Asia/Kolkata"]) {
        await tx.query(`SET LOCAL TimeZone = '${zone}'`);
        const found = await prismaOn(tx).userAccount.findFirst({ where: { createdAt }, select: { createdAt: true } });
        expect(found).toEqual({ createdAt });
      }
      await tx.query("ROLLBACK; BEGIN");
    });
  });

  it("refuses what would leave its connection", async () => {
    await expect(prismaOn(pool).userAccount.findUnique({ where: { id } })).rejects.toThrow("use findFirst");
    const session = { id, username: "oncall", groups: [], idleExpiresAt: new Date(), absoluteExpiresAt: new Date() };
    const nested = prismaOn(pool).userAccount.create({ data: { ...account, sessions: { create: session } } });
    await expect(nested).rejects.toThrow("inTransaction()");
    const interactive = prismaOn(pool).$transaction((tx) => tx.userAccount.count());
    await expect(interactive).rejects.toThrow("inTransaction()");
    const many = Array.from({ length: 40_000 }, () => id);
    await expect(prismaOn(pool).userAccount.findMany({ where: { id: { in: many } } })).rejects.toThrow("32,766");
    expect(await prismaOn(pool).userAccount.count()).toBe(0);
  });
});
