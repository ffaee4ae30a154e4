import type { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { NotifiableEvent } from "#lib/domain/notify/notifiable-event.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createTestPool } from "#test/test-pool.ts";
import { enqueueEvents } from "./stored-event.ts";

const event: NotifiableEvent = {
  id: "00000000-0000-8000-8000-000000000001",
  kind: "finding-opened",
  severity: "warning",
  target: { cluster: "prod", namespace: "shop", kind: "Rollout", name: "web" },
  title: "Inconclusive analysis ignored",
  sentence: "The rollout went on although its analysis was Inconclusive.",
  facts: [{ label: "Run", value: "web-5-2" }],
  path: "/findings/1",
  at: "2026-11-23T10:00:00.000Z",
};

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createTestPool(database.recorderUrl, 2);
});
beforeEach(async () => {
  await pool.query("DELETE FROM notifiable_event");
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const enqueue = (events: NotifiableEvent[]) => inTransaction(pool, (tx) => enqueueEvents(tx, events));
const stored = async () => (await pool.query("SELECT * FROM notifiable_event ORDER BY seq")).rows;

it("stores an event once, as it was first", async () => {
  expect(await enqueue([event])).toBe(1);
  expect(await enqueue([{ ...event, title: "Other words" }])).toBe(0);
  expect(await stored()).toMatchObject([{ id: event.id, title: event.title, planned_at: null, facts: event.facts }]);
});

it("stores nothing if the caller's transaction is rolled back", async () => {
  const failure = inTransaction(pool, async (tx) => {
    await enqueueEvents(tx, [event]);
    throw new Error("later");
  });
  await expect(failure).rejects.toThrow("later");
  expect(await stored()).toEqual([]);
});

it("tells open pages of it, with the place of its rollout", async () => {
  await pool.query("DELETE FROM change_log");
  await enqueue([event]);
  const { rows } = await pool.query("SELECT kind, ref, cluster, namespace, object_kind, name FROM change_log");
  expect(rows).toEqual([
    { kind: "notification", ref: event.id, cluster: "prod", namespace: "shop", object_kind: "Rollout", name: "web" },
  ]);
});

it("redacts and escapes what it stores", async () => {
  const secret = "Bearer abcdefghijklmnop";
  await enqueue([
    { ...event, title: `a\0b ${secret}`, sentence: secret, facts: [{ label: "Answer", value: `\ud800 ${secret}` }] },
  ]);
  const [row] = await stored();
  expect(JSON.stringify(row)).not.toContain("abcdefghijklmnop");
  expect(row).toMatchObject({ title: "a\\u0000b Bearer [redacted]" });
});

it("takes any number", async () => {
  const many = Array.from({ length: 1201 }, (_, index) => ({
    ...event,
    id: `00000000-0000-8000-8000-${String(index).padStart(12, "0")}`,
  }));
  expect(await enqueue(many)).toBe(1201);
});
