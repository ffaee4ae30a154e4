import type { Pool, PoolClient } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createTestPool } from "#test/test-pool.ts";
import { answersOf, awaitLater, inBatch, inTransaction, nameInBatch } from "./in-transaction.ts";

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createTestPool(database.ownerUrl);
  await pool.query("CREATE TABLE part (id int PRIMARY KEY, whole int REFERENCES part)");
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(() => pool.query("TRUNCATE part"));

const noFence = async () => {};

async function storedIds(): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>("SELECT id FROM part ORDER BY id");
  return rows.map(({ id }) => id);
}

const add = (tx: PoolClient, id: number, whole: number | null = null) =>
  tx.query("INSERT INTO part (id, whole) VALUES ($1, $2)", [id, whole]);

describe("inBatch", () => {
  it("sends statements in order, without waiting for those that are answered later", async () => {
    const events: string[] = [];
    await inBatch(pool, {
      fence: noFence,
      async work(tx) {
        await awaitLater(
          tx,
          add(tx, 1).then(() => events.push("answered")),
        );
        await awaitLater(tx, add(tx, 2, 1));
        events.push("went on");
      },
    });
    expect(events).toEqual(["went on", "answered"]);
    expect(await storedIds()).toEqual([1, 2]);
  });

  it("stores nothing if a statement failed that nobody waited for, and names that one", async () => {
    const stored = inBatch(pool, {
      fence: noFence,
      async work(tx) {
        await awaitLater(tx, add(tx, 1));
        await awaitLater(tx, add(tx, 2, 3));
        await awaitLater(tx, add(tx, 4));
        await tx.query("SELECT 1");
      },
    });
    await expect(stored).rejects.toMatchObject({ code: "23503" });
    expect(await storedIds()).toEqual([]);
  });

  it("names the statement that failed first among those sent at once", async () => {
    const stored = inBatch(pool, {
      fence: noFence,
      work: (tx) => answersOf([add(tx, 1), add(tx, 1), add(tx, 2)]),
    });
    await expect(stored).rejects.toMatchObject({ code: "23505" });
    expect(await storedIds()).toEqual([]);
  });

  it("sends nothing behind a fence that failed", async () => {
    const stored = inBatch(pool, {
      fence: () => Promise.reject(new Error("lost")),
      work: (tx) => add(tx, 1),
    });
    await expect(stored).rejects.toThrow("lost");
    expect(await storedIds()).toEqual([]);
  });

  it("sends nothing if the transaction did not begin", async () => {
    const failing = {
      async connect() {
        const client = await pool.connect();
        const query = (text: string) =>
          text === "BEGIN" ? Promise.reject(new Error("no transaction")) : client.query(text);
        return { query, release: () => client.release() };
      },
    } as unknown as Pool;
    const stored = inBatch(failing, { fence: noFence, work: (tx) => add(tx, 1) });
    await expect(stored).rejects.toThrow("no transaction");
    expect(await storedIds()).toEqual([]);
  });

  it("names the cause, and not the named statements behind it", async () => {
    const stored = inBatch(pool, {
      fence: noFence,
      async work(tx) {
        const failing = add(tx, 2, 3);
        failing.catch(() => {});
        const text = "SELECT id FROM part WHERE id = 7";
        for (const _ of [1, 2]) await awaitLater(tx, tx.query({ text, ...nameInBatch(tx, text) }));
        await failing;
      },
    });
    await expect(stored).rejects.toMatchObject({ code: "23503" });
  });

  it("closes a connection that keeps a statement whose columns have changed", async () => {
    const text = "SELECT * FROM part";
    const readAll = () => inBatch(pool, { fence: noFence, work: (tx) => tx.query({ text, ...nameInBatch(tx, text) }) });
    await readAll();
    await pool.query("ALTER TABLE part ADD COLUMN more int");
    await expect(readAll()).rejects.toMatchObject({ code: "0A000" });
    expect((await readAll()).rows).toEqual([]);
    await pool.query("ALTER TABLE part DROP COLUMN more");
  });

  it("rolls back what failed in the work itself, after all answers", async () => {
    const stored = inBatch(pool, {
      fence: noFence,
      async work(tx) {
        await awaitLater(tx, add(tx, 1));
        throw new TypeError("ours");
      },
    });
    await expect(stored).rejects.toThrow("ours");
    expect(await storedIds()).toEqual([]);
  });
});

it("awaitLater waits outside of a batch", async () => {
  const stored = inTransaction(pool, (tx) => awaitLater(tx, add(tx, 2, 3)));
  await expect(stored).rejects.toMatchObject({ code: "23503" });
});
