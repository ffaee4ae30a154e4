import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { Message } from "#lib/domain/notify/compose-messages.ts";
import { sampleEvent, sampleMatter } from "#lib/domain/notify/testing/sample-event.ts";
import { ChannelConfig } from "#lib/server/platform/config/notification-schema.ts";
import { type NotificationReceiver, startNotificationReceiver } from "#test/notification-receiver.ts";
import { type PagerDutyDouble, startPagerDuty } from "#test/pagerduty-double.ts";
import { sendMessage } from "./send-message.ts";

const now = new Date("2026-11-23T10:00:00.000Z");
const trigger: Message = {
  ...{ id: "5f0c7c1e-0000-8000-8000-000000000001", shape: "trigger", severity: "info", routes: [] },
  ...{ title: "shop/web: Waits for a person", events: [sampleMatter("1")], incidentId: "incident-1" },
};
const test: Message = { ...trigger, shape: "test", events: [sampleEvent("1", { kind: "test" })], incidentId: null };

let folder: string;
let pagerDuty: PagerDutyDouble;
let receiver: NotificationReceiver;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-incidents-"));
  writeFileSync(join(folder, "key"), "0123456789abcdef0123456789abcdef\n");
});
beforeEach(async () => {
  pagerDuty = await startPagerDuty();
  receiver = await startNotificationReceiver();
  writeFileSync(join(folder, "url"), receiver.url);
});
afterEach(() => Promise.all([pagerDuty.close(), receiver.close()]));
afterAll(() => rmSync(folder, { recursive: true }));

function send(config: Record<string, unknown>, message: Message, more: { endedAt?: Date | null } = {}) {
  const channel = ChannelConfig.parse({ name: "c", ...config });
  const alerts = message.events.map((event) => ({ event, endedAt: more.endedAt ?? null }));
  const signal = new AbortController().signal;
  return sendMessage(channel, { message, alerts, publicUrl: "https://gatehouse.example.org", now, signal });
}

const duty = (change = {}) => ({
  ...{ type: "pagerduty", routingKey: `file:${join(folder, "key")}`, apiUrl: `${pagerDuty.url}/` },
  ...change,
});
const alerts = (change = {}) => ({ type: "alertmanager", url: new URL(receiver.url).origin, ...change });
const teams = () => ({ type: "teams", webhookUrl: `file:${join(folder, "url")}` });

it("PagerDuty opens, acknowledges and resolves one alert, however often a message is repeated", async () => {
  for (const shape of ["trigger", "trigger", "acknowledge", "resolve", "resolve"] as const)
    expect(await send(duty(), { ...trigger, id: `m-${shape}`, shape })).toEqual({ ok: true });
  expect([...pagerDuty.incidents]).toEqual([
    ["incident-1", { state: "resolved", triggers: 2, summary: trigger.title }],
  ]);
});

it("a test at PagerDuty leaves nothing open, and says what came back", async () => {
  expect(await send(duty(), test)).toEqual({ ok: true, note: "answered 202" });
  expect([...pagerDuty.incidents.values()]).toMatchObject([{ state: "resolved", triggers: 1 }]);
});

it("says in PagerDuty's words why an event is refused, and keeps its other words and the key out", async () => {
  writeFileSync(join(folder, "short"), "tooshort");
  const result = await send(duty({ routingKey: `file:${join(folder, "short")}` }), test);
  expect(result).toEqual({ ok: false, error: "PagerDuty refused it: invalid event" });
  pagerDuty.fail(429);
  expect(await send(duty(), test)).toEqual({ ok: false, error: "PagerDuty answered 429" });
});

it("is not sent without its routing key", async () => {
  const result = await send(duty({ routingKey: "file:/none" }), trigger);
  expect(result).toEqual({ ok: false, error: "the routing key was not found in file /none" });
});

it("Alertmanager keeps an alert open for ten minutes, or until it is over", async () => {
  receiver.answer((response) => response.writeHead(200).end());
  await send(alerts(), trigger);
  await send(alerts(), { ...trigger, shape: "resolve" }, { endedAt: now });
  const ends = receiver.received.map(({ body }) => JSON.parse(body)[0].endsAt);
  expect(ends).toEqual(["2026-11-23T10:10:00.000Z", now.toISOString()]);
  expect(await send(alerts(), test)).toEqual({ ok: true, note: "answered 200" });
});

it("Alertmanager gets nothing of what is over, and says why", async () => {
  expect(await send(alerts(), { ...trigger, events: [] })).toEqual({ ok: true, note: "over before it was sent" });
  expect(receiver.received).toEqual([]);
});

it.each([
  { name: "Alertmanager", config: alerts },
  { name: "Teams", config: teams },
])("$name that refuses is named without what it says, and no redirect is followed", async ({ name, config }) => {
  receiver.answer((response) => response.writeHead(400).end("secret words"));
  expect(await send(config(), trigger)).toEqual({ ok: false, error: `${name} answered 400` });
  const elsewhere = await startNotificationReceiver();
  receiver.answer((response) => response.writeHead(307, { location: elsewhere.url }).end());
  expect(await send(config(), trigger)).toEqual({ ok: false, error: `${name} answered 307` });
  expect(elsewhere.received).toEqual([]);
  await elsewhere.close();
});

it("Teams gets a card", async () => {
  receiver.answer((response) => response.writeHead(202).end());
  expect(await send(teams(), test)).toEqual({ ok: true, note: "answered 202" });
  expect(JSON.parse(receiver.received[0]?.body ?? "")).toMatchObject({ type: "message" });
});
