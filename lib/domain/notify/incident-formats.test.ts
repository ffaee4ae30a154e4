import { describe, expect, it } from "vitest";
import { listFaults } from "#test/published/validate-published.ts";
import type { Message } from "./compose-messages.ts";
import { formatAlert } from "./format-alerts.ts";
import { formatPagerDuty } from "./format-pagerduty.ts";
import { formatTeams } from "./format-teams.ts";
import type { NotifiableEvent } from "./notifiable-event.ts";
import { sampleEvent, sampleMatter, targetOf } from "./testing/sample-event.ts";

const publicUrl = "https://gatehouse.example.org";
const routingKey = "0123456789abcdef0123456789abcdef";
const now = new Date("2026-11-23T10:00:30.000Z");
const hostile = `**b** [x](https://evil.example) <at>all</at> <!channel> \r\n\u202e\u0000 "q" ${"x".repeat(3000)}`;
const hostileEvent = sampleMatter("h", {
  ...{ title: hostile, sentence: hostile, facts: Array(30).fill({ label: hostile, value: hostile }) },
  target: { cluster: hostile, namespace: hostile, kind: "Rollout", name: hostile },
});
const wide = Array.from({ length: 200 }, (_, index) =>
  sampleMatter(`w${index}`, {
    ...{ target: targetOf(`w${index}`), title: "\u{1F600}".repeat(300), sentence: "\u{1F600}".repeat(900) },
    facts: Array(8).fill({ label: "\u{1F600}".repeat(80), value: "\u{1F600}".repeat(400) }),
  }),
);

function messageOf(events: NotifiableEvent[], change: Partial<Message> = {}): Message {
  const title = "shop/web: Waits for a person";
  return { id: "m-1", shape: "trigger", severity: "warning", title, routes: [], events, ...change };
}

const cases: [name: string, events: NotifiableEvent[]][] = [
  ["one wait", [sampleMatter("1")]],
  ["a test", [sampleEvent("1", { kind: "test", target: { cluster: "", namespace: "", kind: null, name: "G" } })]],
  ["something without a place", [sampleEvent("1", { target: { cluster: "", namespace: "", kind: null, name: "" } })]],
  ["hostile texts", [hostileEvent]],
  ["many with long texts", wide],
];

describe("PagerDuty", () => {
  const format = (message: Message, action: "trigger" | "acknowledge" | "resolve" = "trigger") =>
    formatPagerDuty(message, { publicUrl, routingKey, action });

  it.each(cases)("accepts %s", (_, events) => {
    expect(listFaults("pagerDuty", format(messageOf(events)))).toEqual([]);
    for (const action of ["acknowledge", "resolve"] as const)
      expect(listFaults("pagerDuty", format(messageOf(events), action))).toEqual([]);
  });

  it("gets one key for all that an incident goes through, and the evidence with its first", () => {
    const message = messageOf([sampleMatter("1")], { incidentId: "incident-1" });
    const [trigger, resolve] = [format(message), format({ ...message, id: "m-2" }, "resolve")];
    expect(resolve).toEqual({ routing_key: routingKey, event_action: "resolve", dedup_key: "incident-1" });
    expect(trigger).toMatchObject({
      ...{ dedup_key: "incident-1", client: "Gatehouse" },
      client_url: `${publicUrl}/rollouts/prod/shop/Rollout/web`,
      payload: {
        ...{ summary: message.title, source: "prod/shop/Rollout/web", severity: "warning", component: "web" },
        ...{ group: "v2.3.0", class: "pause", timestamp: "2026-11-23T10:00:00.000Z" },
        custom_details: { events: [{ sentence: "shop/web waits for a person.", facts: { Step: "2 of 5" } }] },
      },
    });
  });

  it("says how many more there are", () => {
    const { payload, client_url } = format(messageOf(wide));
    expect(payload?.custom_details).toMatchObject({ more: "and 190 more" });
    expect(client_url).toBe(`${publicUrl}/inbox`);
  });
});

describe("Alertmanager", () => {
  const endsAt = new Date("2026-11-23T10:10:30.000Z");
  const format = (event: NotifiableEvent, ends = endsAt) => formatAlert(event, { publicUrl, now, endsAt: ends });

  it.each(cases)("accepts %s", (_, events) => {
    expect(
      listFaults(
        "alerts",
        events.map((event) => format(event)),
      ),
    ).toEqual([]);
  });

  it("gets labels that sites route by", () => {
    expect(format(sampleMatter("1"))).toMatchObject({
      labels: {
        ...{ alertname: "GatehouseWait", severity: "info", cause: "pause", cluster: "prod", namespace: "shop" },
        ...{ kind: "Rollout", name: "web", gatehouse_id: sampleMatter("1").matter?.id },
      },
      annotations: { summary: "shop/web: Waits for a person", version: "v2.3.0" },
      ...{ startsAt: "2026-11-23T10:00:00.000Z", endsAt: "2026-11-23T10:10:30.000Z" },
      generatorURL: `${publicUrl}/rollouts/prod/shop/Rollout/web`,
    });
    expect(format(sampleMatter("1", {}, { rolloutId: null, cause: "stale" })).labels.alertname).toBe(
      "GatehouseFinding",
    );
    expect(format(sampleEvent("1", { kind: "test" })).labels.alertname).toBe("GatehouseTest");
  });

  it("tells the same matter by the same labels, whatever is said of it", () => {
    const later = sampleMatter("1", { title: "Other words", sentence: "Other", at: "2026-11-23T11:00:00.000Z" });
    expect(format(later).labels).toEqual(format(sampleMatter("1")).labels);
    expect(format(sampleMatter("2")).labels).not.toEqual(format(sampleMatter("1")).labels);
  });

  it("never gets an alert that ends before it starts", () => {
    const ahead = sampleMatter("1", {}, { since: "2026-11-23T12:00:00.000Z" });
    for (const ends of [endsAt, new Date("2026-11-23T09:00:00.000Z")]) {
      const { startsAt, endsAt: ended } = format(ahead, ends);
      expect(Date.parse(startsAt)).toBeLessThanOrEqual(Date.parse(ended));
    }
  });
});

describe("Teams", () => {
  it.each(cases)("accepts %s, within its limit", (_, events) => {
    const body = formatTeams(messageOf(events), publicUrl);
    expect(listFaults("teams", body)).toEqual([]);
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(28_000);
  });

  it("formats no text, links to each decision, and says how many more there are", () => {
    const body = JSON.stringify(formatTeams(messageOf([hostileEvent, ...wide]), publicUrl));
    expect(body).not.toContain('"TextBlock"');
    expect(body).toContain(`${publicUrl}/rollouts/prod/shop/Rollout/web`);
    expect(body).toMatch(/"and \d+ more"/);
    expect(body).toContain("Message m-1");
  });

  it("says in words and colour what is over", () => {
    const body = JSON.stringify(formatTeams(messageOf([sampleMatter("1", { kind: "wait-ended" })]), publicUrl));
    expect(body).toContain("✅ Over · prod/shop/Rollout/web");
    expect(body).toContain('"Good"');
  });
});
