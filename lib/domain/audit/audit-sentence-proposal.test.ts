import { expect, it } from "vitest";
import type { AuditEntry } from "./audit-entry.ts";
import { formatAuditSentence, joinSentence } from "./audit-sentence.ts";

const entry: AuditEntry = {
  ...{ seq: 1, time: "2026-11-20T10:00:00.000000Z", source: "gatehouse", requestId: "r", outcome: "applied" },
  ...{ code: "action.abort", action: "abort", actor: { type: "user", name: "Oncall" } },
  target: { cluster: "a", namespace: "payments", kind: "Rollout", name: "checkout" },
};
const agent = { id: "t", name: "bot" };
const asAgent = { type: "token", name: "Oncall", token: agent } as const;

it.each<{ name: string; change: Partial<AuditEntry>; text: string }>([
  {
    name: "made",
    change: { code: "approval.request", actor: asAgent, detail: { agent } },
    text: "Oncall (token bot) proposed to abort payments/checkout",
  },
  {
    name: "declined",
    change: { code: "approval.reject", detail: { agent } },
    text: "Oncall declined the proposal to abort payments/checkout",
  },
  {
    name: "withdrawn",
    change: { code: "approval.withdraw", actor: asAgent, detail: { agent } },
    text: "Oncall (token bot) withdrew the proposal to abort payments/checkout",
  },
  {
    name: "accepted",
    change: { detail: { proposal: { id: "p" } } },
    text: "Oncall aborted payments/checkout (proposed by an agent)",
  },
  {
    name: "not needed",
    change: { actor: asAgent, detail: { agent: { ...agent, tool: "act" } } },
    text: "Oncall (token bot) aborted payments/checkout (by an agent itself)",
  },
])("phrases an agent's proposal that was $name", ({ change, text }) => {
  expect(joinSentence(formatAuditSentence({ ...entry, ...change }))).toBe(text);
});
