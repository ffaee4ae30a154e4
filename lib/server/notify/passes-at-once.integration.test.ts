import { setTimeout as sleep } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createNotifyWorld } from "#test/notify-world.ts";
import { type PagerDutyDouble, startPagerDuty } from "#test/pagerduty-double.ts";
import { createTestPool } from "#test/test-pool.ts";

let world: Awaited<ReturnType<typeof createNotifyWorld>>;
let pagerDuty: PagerDutyDouble;
let other: Pool;

beforeAll(async () => {
  pagerDuty = await startPagerDuty();
  world = await createNotifyWorld((fileOf) => ({
    channels: [
      {
        name: "duty",
        type: "pagerduty",
        apiUrl: pagerDuty.url,
        routingKey: fileOf("key", "0123456789abcdef0123456789abcdef"),
      },
    ],
    routes: [{ name: "all", to: ["duty"] }],
  }));
  other = createTestPool(world.recorderUrl);
});
beforeEach(async () => {
  for (const table of ["notification", "notification_pending", "notification_matter", "notification_incident"])
    await world.query(`DELETE FROM ${table}`);
});
afterAll(async () => {
  await other.end();
  await world.close();
  await pagerDuty.close();
});

/** A pool on which the first statement that matches waits: `reached` resolves once it is about to be sent. */
function holdAt(pool: Pool, statement: RegExp, until: Promise<unknown>): { pool: Pool; reached: Promise<void> } {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const queryOf = (target: Pool | PoolClient) => async (text: never, values: never) => {
    const given = text as string | { text: string };
    if (statement.test(typeof given === "string" ? given : given.text)) {
      resolve();
      await until;
    }
    return target.query(text, values);
  };
  const held = {
    query: queryOf(pool),
    async connect() {
      const client = await pool.connect();
      return { query: queryOf(client), release: (error?: Error | boolean) => client.release(error) };
    },
  };
  // Has only the methods that inTransaction and run-query call.
  return { pool: held as unknown as Pool, reached };
}

/** Resolves once a statement of the database waits for another transaction. */
async function untilBlocked(): Promise<void> {
  const isBlocked = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  while ((await world.query(isBlocked)).length === 0) await sleep(10);
}

const statesOf = () => [...pagerDuty.incidents.values()].map(({ state }) => state);

it("the end of a wait and its message are made by two recorders at once", async () => {
  await world.beginWaits(["web"]);
  // Its matter is stored, and its event is pending until its window is over.
  await world.pass();
  expect(await world.query("SELECT FROM notification_matter")).toHaveLength(1);
  await world.endWaits(["web"]);
  const { promise: blocked, resolve: go } = Promise.withResolvers<void>();
  const ending = holdAt(world.pool, /^delete from "notification_pending"/i, blocked);
  const first = world.pass({ own: ending.pool });
  await ending.reached;
  // The other has not seen the end.
  const second = world.make({ own: other });
  await untilBlocked();
  go();
  await Promise.all([first, second]);
  world.advance(16);
  await world.pass();
  expect(await world.query("SELECT FROM notification_pending")).toEqual([]);
  expect(await world.query("SELECT FROM notification_matter")).toEqual([]);
  expect(statesOf()).not.toContain("triggered");
});

it("the ends of incidents and new ones are made by two recorders at once", async () => {
  await world.beginWaits(["old"], { versionOf: () => "v1" });
  world.advance(301);
  await world.beginWaits(["new"], { versionOf: () => "v2" });
  await world.pass();
  world.advance(16);
  await world.pass();
  const open = await world.query("SELECT id FROM notification_incident ORDER BY id");
  expect(open).toHaveLength(2);
  // Incidents are locked in the order of their beginning, and ended in the order of their ids.
  await world.query(
    `UPDATE notification_incident SET opened_at = now() - CASE id WHEN $1 THEN interval '1 min' ELSE interval '2 min' END`,
    [open[0].id],
  );
  await world.endWaits(["old", "new"]);
  await world.beginWaits(["third"], { versionOf: () => "v3" });
  const { promise: blocked, resolve: go } = Promise.withResolvers<void>();
  // The first incident is ended, and locked until the commit.
  const ending = holdAt(world.pool, /^delete from "public"."notification_incident"/i, blocked);
  const first = world.pass({ own: ending.pool });
  await ending.reached;
  const second = world.make({ own: other });
  await untilBlocked();
  go();
  await Promise.all([first, second]);
  expect(await world.query("SELECT FROM notification_incident WHERE id = ANY($1)", [open.map(({ id }) => id)])).toEqual(
    [],
  );
});
