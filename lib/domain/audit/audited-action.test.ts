import { describe, expect, it } from "vitest";
import type { AuditEntry } from "./audit-entry.ts";
import { readAuditedAction, readRecordedRefusal } from "./audited-action.ts";

const robots = "robots";
const entryOf = (more: Partial<AuditEntry> = {}): AuditEntry => ({
  ...{ seq: 7, time: "2026-11-21T10:00:01.000000Z", code: "action.continue", source: "gatehouse", requestId: "r" },
  actor: { type: "user", issuer: "https://issuer", subject: "s", name: "Oncall" },
  action: "continue",
  target: { id: "c/payments/Rollout/checkout", cluster: "c", namespace: "payments", kind: "Rollout", name: "checkout" },
  outcome: "intent",
  ...more,
});
const judged = { at: "2026-11-21T10:00:00.000Z", policies: "d1" };

describe("readAuditedAction", () => {
  it("reads what the request brought, and when it was judged", () => {
    const detail = { judged, also: ["unpause", "unknown", 1], approval: "id", brokenFreeze: "weekend" };
    expect(readAuditedAction(entryOf({ detail, reason: "because" }), robots)).toEqual({
      seq: 7,
      at: new Date(judged.at),
      action: { name: "continue", protective: false, reasonRequired: true },
      also: [{ name: "unpause", protective: false, reasonRequired: true }],
      target: { cluster: "c", namespace: "payments", kind: "Rollout", name: "checkout" },
      brought: { reason: "because", approvals: [undefined], breaksFreeze: true, isRobot: false },
    });
    const many = { judged, approval: "id", approvedBy: [{ name: "one" }, { name: "two" }] };
    expect(readAuditedAction(entryOf({ detail: many }), robots)?.brought.approvals).toHaveLength(2);
  });

  it.each([
    [{ agent: { id: "t", name: "bot", tool: "act" } }, undefined],
    [{ proposal: { id: "p", reasonBy: "agent" } }, undefined],
    [{ proposal: { id: "p" } }, "because"],
  ])("takes no agent's reason for a person's: %j", (detail, reason) => {
    const entry = entryOf({ detail: { ...detail, problem: "reason_required" }, reason: "because" });
    expect(readAuditedAction(entry, robots)?.brought.reason).toBe(reason);
    expect(readRecordedRefusal(entry, robots)?.refusal.reason).toBe(reason !== undefined);
  });

  it("takes the time of the entry, if it says no other", () => {
    const robot = { type: "token" as const, issuer: robots, name: "deployer" };
    for (const detail of [undefined, { judged: "x" }, { judged: { at: "yesterday" } }])
      expect(readAuditedAction(entryOf({ actor: robot, ...(detail && { detail }) }), robots)).toMatchObject({
        at: new Date("2026-11-21T10:00:01Z"),
        brought: { reason: undefined, approvals: [], breaksFreeze: false, isRobot: true },
      });
  });

  it("leaves out an action or a place that it does not know", () => {
    expect(readAuditedAction(entryOf({ action: "launch" }), robots)).toBeUndefined();
    expect(readAuditedAction(entryOf({ target: { cluster: "c", namespace: "payments" } }), robots)).toBeUndefined();
  });
});

describe("readRecordedRefusal", () => {
  it.each([
    { detail: { problem: "frozen", policy: "weekend", judged }, policy: "weekend", judgedBy: "d1" },
    { detail: { problem: "frozen", policy: "weekend" }, policy: "weekend", judgedBy: undefined },
    { detail: { problem: "reason_required", judged }, policy: undefined, judgedBy: "d1" },
  ])("reads $detail.problem by $policy", ({ detail, policy, judgedBy }) => {
    const read = readRecordedRefusal(entryOf({ outcome: "refused", detail }), robots);
    expect(read).toMatchObject({ judgedBy, refusal: { seq: 7, problem: detail.problem, reason: false } });
    expect(read?.refusal.policy).toBe(policy);
  });

  it.each([{ problem: "stale_view", policy: "x" }, { problem: "second_person_required" }, {}])(
    "leaves out %j",
    (detail) => {
      expect(readRecordedRefusal(entryOf({ outcome: "refused", detail }), robots)).toBeUndefined();
    },
  );
});
