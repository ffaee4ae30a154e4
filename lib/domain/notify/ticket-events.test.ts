import { expect, it } from "vitest";
import { formatWebhook } from "./formats.ts";
import { sampleEvent } from "./testing/sample-event.ts";
import { formatTicketQuestion } from "./ticket-events.ts";

const publicUrl = "https://gatehouse.example.org";
const target = { cluster: "prod", namespace: "shop", kind: "Rollout", name: "web" };
const ticket = { id: "a-1", rule: "change", ticket: "CHG1", action: "continue" };

it("asks with everything that a decision needs", () => {
  const question = { ...ticket, target, actor: { name: "Oncall", username: "oncall" }, reason: "CHG1: fine" };
  expect(formatTicketQuestion("m-1", { ...question, time: "2026-11-23T10:00:00.000Z" }, publicUrl)).toEqual({
    ...{ specversion: "1.0", id: "m-1", source: publicUrl, type: "io.gatehouse.ticket.check" },
    ...{ time: "2026-11-23T10:00:00.000Z", subject: "prod/shop/Rollout/web", datacontenttype: "application/json" },
    data: question,
  });
});

it("tells the outcome in its own form, and any other event as before", () => {
  const event = sampleEvent("1", { kind: "action", sentence: "oncall continued\nshop/web.", path: "/audit/7" });
  const message = { id: "m-2", shape: "single" as const, severity: "info" as const, title: "t", events: [event] };
  expect(formatWebhook(message, publicUrl)).toMatchObject({ type: "io.gatehouse.action", data: { title: "t" } });
  const outcome = { ...ticket, outcome: "applied" };
  expect(formatWebhook({ ...message, events: [{ ...event, ticket: outcome }] }, publicUrl)).toEqual({
    ...{ specversion: "1.0", id: "m-2", source: publicUrl, type: "io.gatehouse.ticket.outcome" },
    ...{ time: "2026-11-23T10:00:00.000Z", subject: "prod/shop/Rollout/web", datacontenttype: "application/json" },
    data: { ...outcome, target, sentence: "oncall continued shop/web.", link: `${publicUrl}/audit/7` },
  });
});
