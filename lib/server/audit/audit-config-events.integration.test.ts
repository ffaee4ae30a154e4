import type { Pool } from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ConfigEvent } from "#lib/server/platform/config/config-store.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { waitFor } from "#test/recorder-world.ts";
import { createTestPool } from "#test/test-pool.ts";
import { auditConfigEvents } from "./audit-config-events.ts";

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createTestPool(database.webUrl, 2);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const eventOf = (index: number): ConfigEvent => ({
  type: "refused",
  digest: `digest ${index}`,
  fault: "unreadable",
  error: "no file",
});

it("writes all events that waited while the first one was being written", async () => {
  const gate = Promise.withResolvers<void>();
  const slow = {
    query: async (text: never, values: never) => {
      await gate.promise;
      return pool.query(text, values);
    },
    connect: () => pool.connect(),
  };
  let emit: (event: ConfigEvent) => void = () => {};
  const stop = auditConfigEvents({
    store: {
      subscribe(listener) {
        emit = listener;
        return () => {};
      },
    },
    pool: slow as unknown as Pool,
    log: pino({ level: "silent" }),
  });
  const events = Array.from({ length: 51 }, (_, index) => eventOf(index));
  for (const event of events) emit(event);
  gate.resolve();
  const written = async (): Promise<unknown[]> =>
    (await pool.query("SELECT content FROM config_event ORDER BY id")).rows.map(({ content }) => content);
  await waitFor("the last one is written", async () => (await written()).at(-1) === "digest 50");
  expect(await written()).toEqual(events.map((_, index) => `digest ${index}`));
  await stop();
});
