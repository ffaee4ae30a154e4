import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { NotifiableEvent } from "#lib/domain/notify/notifiable-event.ts";
import { sampleMatter, targetOf } from "#lib/domain/notify/testing/sample-event.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { createNotifyWorld } from "#test/notify-world.ts";
import { type PagerDutyDouble, startPagerDuty } from "#test/pagerduty-double.ts";
import { enqueueEvents } from "./stored-event.ts";

const routingKey = "0123456789abcdef0123456789abcdef";
let pagerDuty: PagerDutyDouble;
let world: Awaited<ReturnType<typeof createNotifyWorld>>;

beforeAll(async () => {
  world = await createNotifyWorld((fileOf) => ({
    channels: [
      { name: "duty", type: "pagerduty", routingKey: fileOf("key", routingKey), apiUrl: "http://127.0.0.1:1" },
    ],
    routes: [{ name: "all", to: ["duty"] }],
  }));
});
beforeEach(async () => {
  pagerDuty = await startPagerDuty();
  Object.assign(world.config.channels[0] ?? {}, { apiUrl: pagerDuty.url });
  const tables = ["notification", "notification_pending", "notification_matter", "notification_incident", "wait_mark"];
  for (const table of tables) await world.query(`DELETE FROM ${table}`);
});
afterEach(async () => {
  expect(pagerDuty.faults).toEqual([]);
  await pagerDuty.close();
  await world.query("UPDATE rollout SET attention_reason = NULL, attention_since = NULL, attention_severity = NULL");
});
afterAll(() => world.close());

const statesOf = () => [...pagerDuty.incidents.values()].map(({ state }) => state);
const shapesOf = async () =>
  (await world.query("SELECT shape, state FROM notification ORDER BY created_at, incident_step")).map(
    ({ shape, state }) => `${shape} ${state}`,
  );
let number = 0;
const namesOf = (count: number): string[] => Array.from({ length: count }, () => `r${number++}`);

/** Lets the window of an event pass, with the passes of a recorder. */
async function settle(): Promise<void> {
  await world.pass();
  world.advance(16);
  await world.pass();
}

it("200 waits of one version in five minutes page once, and the incident is resolved with the last of them", async () => {
  const names = namesOf(200);
  for (let at = 0; at < names.length; at += 20) {
    await world.beginWaits(names.slice(at, at + 20));
    await world.pass();
    world.advance(29);
  }
  await settle();
  expect(pagerDuty.pages()).toBe(1);
  expect([...pagerDuty.incidents.values()]).toMatchObject([
    { state: "triggered", summary: expect.stringMatching(/; 199 more elsewhere$/) },
  ]);
  await world.endWaits(names.slice(1));
  await settle();
  expect(statesOf()).toEqual(["triggered"]);
  await world.endWaits(names);
  await settle();
  expect(statesOf()).toEqual(["resolved"]);
  expect(await world.query("SELECT FROM notification_matter")).toEqual([]);
  expect(await world.query("SELECT FROM notification_incident")).toEqual([]);
});

it("200 waits of 200 versions do not page 200 times either", async () => {
  const names = namesOf(200);
  for (let at = 0; at < names.length; at += 20) {
    await world.beginWaits(names.slice(at, at + 20), { versionOf: (name) => name });
    await world.pass();
    world.advance(29);
  }
  await settle();
  expect(pagerDuty.pages()).toBeLessThanOrEqual(20);
  expect((await world.query("SELECT FROM notification_matter WHERE incident_id IS NULL")).length).toBe(0);
  await world.endWaits(names);
  await settle();
  expect(new Set(statesOf())).toEqual(new Set(["resolved"]));
});

it("pages again for another cause, and for the same after the window", async () => {
  await world.beginWaits(namesOf(1));
  await world.beginWaits(namesOf(1), { reason: "inconclusive", severity: "warning" });
  await settle();
  expect(pagerDuty.pages()).toBe(2);
  world.advance(301);
  await world.beginWaits(namesOf(1));
  await settle();
  expect(pagerDuty.pages()).toBe(3);
});

it("acknowledges once a person claims one of the waits, as long as that claim counts", async () => {
  const names = namesOf(2);
  await world.beginWaits(names);
  await settle();
  const claim = (name: string, until: Date, since = "attention_since") =>
    world.query(
      `INSERT INTO wait_mark (rollout_id, kind, id, view_digest, attention_reason, attention_since, revision_key, until,
         marked_by, marked_by_name)
       SELECT id, 'claim', $2, '', attention_reason, ${since}, '', $3, 'x', 'Oncall' FROM rollout WHERE name = $1
       ON CONFLICT (rollout_id, kind) DO UPDATE SET until = excluded.until, attention_since = excluded.attention_since`,
      [name, randomUUID(), until],
    );
  const later = new Date(world.now().getTime() + 1_800_000);
  await claim(names[0] ?? "", world.now());
  await claim(names[1] ?? "", later, "attention_since - interval '1 hour'");
  await settle();
  expect(statesOf()).toEqual(["triggered"]);
  await claim(names[1] ?? "", later);
  await settle();
  await settle();
  expect(statesOf()).toEqual(["acknowledged"]);
  expect(await shapesOf()).toEqual(["trigger sent", "acknowledge sent"]);
});

it("pages no one for what was over before it was sent", async () => {
  const names = namesOf(1);
  await world.beginWaits(names);
  await world.pass();
  await world.endWaits(names);
  await settle();
  expect(pagerDuty.incidents.size).toBe(0);
  expect(await world.query("SELECT FROM notification")).toEqual([]);
});

it("resolves what it may have opened, and sends nothing of it before that", async () => {
  const names = namesOf(1);
  pagerDuty.fail(500);
  await world.beginWaits(names);
  await settle();
  await world.endWaits(names);
  pagerDuty.fail(undefined);
  world.advance(3600);
  await settle();
  expect(pagerDuty.pages()).toBe(0);
  expect(await shapesOf()).toEqual(["trigger suppressed", "resolve sent"]);
});

it("keeps the order of an incident: no later message overtakes one that fails", async () => {
  const names = namesOf(1);
  await world.beginWaits(names);
  await settle();
  pagerDuty.fail(429);
  const more = namesOf(1);
  await world.beginWaits(more);
  await settle();
  await world.query("UPDATE notification SET state = 'sending' WHERE state = 'queued'");
  await world.endWaits([...names, ...more]);
  pagerDuty.fail(undefined);
  await world.pass();
  expect(statesOf()).toEqual(["triggered"]);
  world.advance(61);
  await settle();
  expect([...pagerDuty.incidents.values()]).toMatchObject([{ state: "resolved", triggers: 2 }]);
});

it("tells of findings, of a higher severity in the same incident, and acknowledges with a person", async () => {
  const id = randomUUID();
  const found = (kind: NotifiableEvent["kind"], severity: NotifiableEvent["severity"]): NotifiableEvent =>
    sampleMatter(
      `${id} ${kind}`,
      { kind, severity, target: targetOf("found"), at: world.now().toISOString() },
      {
        ...{ id, rolloutId: null, cause: "verdict-mismatch", since: world.now().toISOString() },
      },
    );
  const tell = (event: NotifiableEvent) => inTransaction(world.pool, (tx) => enqueueEvents(tx, [event]));
  await world.query(
    `INSERT INTO finding (id, rule, about, subject, cluster, kind, name, severity, title, evidence, since)
     VALUES ($1, 'verdict-mismatch', 'cluster', 'prod', 'prod', 'Rollout', 'found', 'warning', 't', '[]', now())`,
    [id],
  );
  await tell(found("finding-opened", "warning"));
  await settle();
  world.advance(3600);
  await tell(found("finding-worsened", "critical"));
  await settle();
  expect([...pagerDuty.incidents.values()]).toMatchObject([{ state: "triggered", triggers: 2 }]);
  await world.query("UPDATE finding SET acknowledged_at = now() WHERE id = $1", [id]);
  await settle();
  expect(statesOf()).toEqual(["acknowledged"]);
  await world.query("UPDATE finding SET closed_at = now() WHERE id = $1", [id]);
  await settle();
  expect(statesOf()).toEqual(["resolved"]);
});
