import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { sampleMatter, targetOf } from "#lib/domain/notify/testing/sample-event.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { type AlertmanagerDouble, startAlertmanager } from "#test/alertmanager-double.ts";
import { createNotifyWorld } from "#test/notify-world.ts";
import { enqueueEvents } from "./stored-event.ts";

let alertmanager: AlertmanagerDouble;
let world: Awaited<ReturnType<typeof createNotifyWorld>>;

beforeAll(async () => {
  world = await createNotifyWorld((fileOf) => ({
    channels: [
      { name: "alerts", type: "alertmanager", url: "http://127.0.0.1:1", token: fileOf("token", "secret-token") },
    ],
    routes: [{ name: "all", to: ["alerts"] }],
  }));
});
beforeEach(async () => {
  alertmanager = await startAlertmanager();
  Object.assign(world.config.channels[0] ?? {}, { url: `${alertmanager.url}/` });
  for (const table of ["notification", "notification_pending", "notification_matter"])
    await world.query(`DELETE FROM ${table}`);
});
afterEach(async () => {
  expect(alertmanager.faults).toEqual([]);
  await alertmanager.close();
  await world.query("UPDATE rollout SET attention_reason = NULL, attention_since = NULL, attention_severity = NULL");
});
afterAll(() => world.close());

async function settle(): Promise<void> {
  await world.pass();
  world.advance(16);
  await world.pass();
}
const open = () => alertmanager.openAt(world.now());

it("opens an alert for each wait in few posts, with the token", async () => {
  const names = Array.from({ length: 250 }, (_, index) => `many-${index}`);
  await world.beginWaits(names);
  await settle();
  expect(open()).toEqual(names.toSorted());
  expect(alertmanager.received).toHaveLength(2);
  expect(alertmanager.received[0]?.headers.authorization).toBe("Bearer secret-token");
});

it("keeps an alert open for hours by sending it again, and resolves it when it is over", async () => {
  await world.beginWaits(["lasting"]);
  await settle();
  for (let minute = 0; minute < 180; minute++) {
    world.advance(60);
    await world.pass();
    expect(open()).toEqual(["lasting"]);
  }
  expect(alertmanager.count()).toBe(1);
  const kept = await world.query("SELECT count(*)::int AS count FROM notification WHERE shape = 'refresh'");
  expect(kept).toEqual([{ count: 1 }]);
  await world.endWaits(["lasting"]);
  await world.pass();
  expect(open()).toEqual([]);
  expect(await world.query("SELECT FROM notification_matter")).toEqual([]);
  const before = alertmanager.received.length;
  world.advance(120);
  await world.pass();
  expect(alertmanager.received).toHaveLength(before);
});

it("sends one refresh at a time to a server that refuses", async () => {
  await world.beginWaits(["refused"]);
  await settle();
  Object.assign(world.config.channels[0] ?? {}, { url: "http://127.0.0.1:1" });
  for (let minute = 0; minute < 5; minute++) {
    world.advance(61);
    await world.pass();
  }
  const unsent = await world.query("SELECT last_error FROM notification WHERE shape = 'refresh' AND state <> 'sent'");
  expect(unsent).toEqual([{ last_error: "no connection (ECONNREFUSED)" }]);
});

it("never opens what is over, whatever the order in which messages are sent", async () => {
  const { url } = world.config.channels[0] as { url: string };
  Object.assign(world.config.channels[0] ?? {}, { url: "http://127.0.0.1:1" });
  await world.beginWaits(["short"]);
  await settle();
  await world.endWaits(["short"]);
  await world.pass();
  Object.assign(world.config.channels[0] ?? {}, { url });
  await world.query("UPDATE notification SET next_attempt_at = now() - interval '1 hour' WHERE shape = 'trigger'");
  world.advance(3600);
  await settle();
  expect(open()).toEqual([]);
  expect(await world.query("SELECT state FROM notification WHERE state <> 'sent'")).toEqual([]);
});

it("replaces an alert by a more severe one", async () => {
  const id = randomUUID();
  await world.query(
    `INSERT INTO finding (id, rule, about, subject, cluster, kind, name, severity, title, evidence, since)
     VALUES ($1, 'stale', 'cluster', 'prod', 'prod', 'Rollout', 'worse', 'warning', 't', '[]', now())`,
    [id],
  );
  const tell = (kind: "finding-opened" | "finding-worsened", severity: "warning" | "critical") => {
    const at = world.now().toISOString();
    const matter = { id, rolloutId: null, cause: "stale", since: at };
    const event = sampleMatter(`${id} ${kind}`, { kind, severity, target: targetOf("worse"), at }, matter);
    return inTransaction(world.pool, (tx) => enqueueEvents(tx, [event]));
  };
  await tell("finding-opened", "warning");
  await settle();
  await tell("finding-worsened", "critical");
  await settle();
  expect(open()).toEqual(["worse"]);
  expect(alertmanager.count()).toBe(2);
  await world.query("UPDATE finding SET closed_at = now() WHERE id = $1", [id]);
  await world.pass();
  expect(open()).toEqual([]);
});
