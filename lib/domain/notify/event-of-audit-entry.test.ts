import { describe, expect, it } from "vitest";
import type { AuditEntry } from "#lib/domain/audit/audit-entry.ts";
import { eventOfAuditEntry } from "./event-of-audit-entry.ts";

const entry: AuditEntry = {
  seq: 12,
  time: "2026-11-23T10:00:00.123456Z",
  actor: { type: "user", name: "Oncall" },
  source: "gatehouse",
  code: "action.abort",
  action: "abort",
  outcome: "applied",
  target: { cluster: "prod", namespace: "shop", kind: "Rollout", name: "web" },
  reason: "errors",
  requestId: "r",
};

describe("eventOfAuditEntry", () => {
  it.each<{ name: string; given: Partial<AuditEntry>; kind: string; severity: string; title: string }>([
    { name: "applied", given: {}, kind: "action", severity: "info", title: "Abort: applied" },
    { name: "refused", given: { outcome: "refused" }, kind: "action", severity: "info", title: "Abort: refused" },
    {
      name: "partial",
      given: { outcome: "partial" },
      kind: "action",
      severity: "warning",
      title: "Abort: partially applied",
    },
    {
      name: "unknown",
      given: { outcome: "unknown" },
      kind: "action",
      severity: "warning",
      title: "Abort: outcome unknown",
    },
    {
      name: "a broken freeze",
      given: { code: "action.continue", action: "continue", detail: { brokenFreeze: "weekend" } },
      kind: "action",
      severity: "warning",
      title: "Continue: applied",
    },
    {
      name: "without effect",
      given: { code: "action.without-effect", source: "system", outcome: undefined as never },
      kind: "action",
      severity: "warning",
      title: "Abort: no effect yet",
    },
    {
      name: "took effect",
      given: { code: "action.took-effect", source: "system", outcome: undefined as never },
      kind: "action",
      severity: "info",
      title: "Abort: took effect",
    },
    {
      name: "outside Gatehouse",
      given: { code: "cluster.abort", source: "cluster", detail: { client: "kubectl" } },
      kind: "action",
      severity: "warning",
      title: "Abort outside Gatehouse",
    },
    {
      name: "a skipped gate",
      given: { code: "gate.skipped", source: "cluster", action: undefined as never },
      kind: "action",
      severity: "warning",
      title: "Gate skipped",
    },
    {
      name: "a request for a second person",
      given: { code: "approval.request", action: "promote-full", outcome: "applied" },
      kind: "waiting",
      severity: "info",
      title: "Approval requested: Promote fully",
    },
    {
      name: "an action that this version does not know",
      given: { code: "action.dance", action: "dance" },
      kind: "action",
      severity: "info",
      title: "dance: applied",
    },
  ])("$name", ({ given, kind, severity, title }) => {
    expect(eventOfAuditEntry({ ...entry, ...given })).toMatchObject({ kind, severity, title });
  });

  it.each<[name: string, given: Partial<AuditEntry>]>([
    ["intents", { outcome: "intent" }],
    ["sign-ins", { code: "session.signin" }],
    ["approvals that were given", { code: "approval.approve", action: "promote-full" }],
    ["requests for a second person that were refused", { code: "approval.request", outcome: "refused" }],
    ["what names no object", { target: {} }],
    ["config loads", { code: "config.loaded", source: "system" }],
  ])("tells nobody of %s", (_, given) => {
    expect(eventOfAuditEntry({ ...entry, ...given })).toBeUndefined();
  });

  it("has the entry's sentence, reason, link and time", () => {
    expect(eventOfAuditEntry({ ...entry, detail: { message: "done" } })).toMatchObject({
      sentence: "Oncall aborted shop/web.",
      facts: [
        { label: "By", value: "Oncall" },
        { label: "Reason", value: "errors" },
        { label: "Answer", value: "done" },
      ],
      path: "/audit/12",
      at: "2026-11-23T10:00:00.123Z",
    });
  });

  it("has one id per entry", () => {
    expect(eventOfAuditEntry(entry)?.id).toBe(eventOfAuditEntry({ ...entry })?.id);
    expect(eventOfAuditEntry({ ...entry, seq: 13 })?.id).not.toBe(eventOfAuditEntry(entry)?.id);
  });
});
