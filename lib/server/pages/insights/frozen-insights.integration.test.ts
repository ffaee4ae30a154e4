import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { actorOf } from "#test/acting-world.ts";
import { connectRecorded } from "#test/recorded.ts";
import { storePolicies } from "#test/store-policies.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import { getReleaseInsights } from "./get-release-insights.ts";

let web: TestWeb;
let owner: Pool;
const hour = (number: number) => new Date(Date.UTC(2026, 2, 10, number));

beforeAll(async () => {
  web = await startTestWeb({
    config: { policies: { freezes: [{ name: "today", start: "0 9 * * *", duration: "30m", timeZone: "UTC" }] } },
  });
  owner = createTestPool(web.database.ownerUrl, 1);
  const recorded = await connectRecorded(web.database.recorderUrl);
  const { id } = await recorded.addRollout({ name: "shop" });
  const release = await recorded.addRelease({ rolloutId: id, startedAt: hour(8), state: "promoted" });
  await owner.query("UPDATE release SET ended_at = $2, figured_at = $2, waiting_seconds = 21600 WHERE id = $1", [
    release.id,
    hour(15),
  ]);
  await owner.query(
    "INSERT INTO release_wait (release_id, ord, from_at, to_at, activity) VALUES ($1, 0, $2, $3, 'waiting')",
    [release.id, hour(8), hour(14)],
  );
  await recorded.close();
});
afterAll(async () => {
  await owner.end();
  await web.close();
});

async function load(at: number, freezes: { name: string; start: string; duration: string }[]): Promise<void> {
  await storePolicies(web.runtime.pool, { freezes }, randomUUID());
  await owner.query("UPDATE config_event SET at = $1 WHERE id = (SELECT max(id) FROM config_event)", [hour(at)]);
}

async function frozenHours(): Promise<number> {
  const ctx = { runtime: web.runtime, actor: actorOf("viewer"), requestId: "test" } as never;
  const input = { from: "2026-03-01T00:00:00.000Z", to: "2026-03-31T00:00:00.000Z", timeZone: "UTC" };
  const { figures } = await getReleaseInsights({ ctx, input });
  return (figures.waiting.frozenSeconds ?? Number.NaN) / 3600;
}

it("counts the freezes of each moment by the policies of that moment, and unknown ones by those of now", async () => {
  await owner.query("DELETE FROM config_event");
  expect(await frozenHours()).toBe(0.5);
  const allDay = { start: "0 0 * * *", duration: "24h", timeZone: "UTC" };
  await load(10, [{ name: "week", ...allDay }]);
  await load(11, [{ name: "renamed", ...allDay }]);
  await load(13, []);
  // From 9:00 to 9:30 by the current config, and from 10:00 to 13:00 by those of then.
  expect(await frozenHours()).toBe(3.5);
});
