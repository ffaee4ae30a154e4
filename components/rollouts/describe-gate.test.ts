import { describe, expect, it } from "vitest";
import type { RolloutGate } from "#lib/contract/hook.ts";
import { describeAnswer, describeDecision } from "./describe-gate.ts";

const decision = {
  id: "1",
  verdict: "approve",
  state: "requested",
  timesServed: 0,
  upToWeight: null,
  actorName: "Ada",
  reason: "",
  decidedAt: "2026-11-22T10:00:00Z",
  expiresAt: null,
} as const;

function gateWith(changes: Partial<RolloutGate>): RolloutGate {
  return { gate: "confirm-promotion", wired: true, lastAskedAt: null, lastAnswer: null, decision, ...changes };
}

describe("what the controller was told", () => {
  it.each([
    ["confirm-promotion", 403, "not_approved", "wait: nobody has approved it"],
    ["confirm-promotion", 403, "unknown_phase", "wait: unknown phase"],
    ["confirm-promotion", 200, "approved", "approved"],
    ["rollback", 403, "cluster_view_stale", "continue: Gatehouse's view of the cluster is too old"],
    ["rollback", 403, "unknown_phase", "continue: unknown phase"],
    ["rollback", 403, "no_abort_requested", "continue"],
    ["rollback", 200, "abort_requested", "roll back"],
  ] as const)("at %s: %s %s", (gate, status, reason, words) => {
    expect(describeAnswer({ gate, lastAnswer: { status, reason } })).toBe(words);
  });

  it("is unknown before it asks", () => {
    expect(describeAnswer({ gate: "rollback", lastAnswer: null })).toBeUndefined();
  });
});

describe("a decision that was not served", () => {
  it.each([
    [null, "has not asked since"],
    ["2026-11-22T09:59:59Z", "has not asked since"],
    ["2026-11-22T10:00:01Z", "asked since, and was told something else"],
  ])("when the controller last asked at %s", (lastAskedAt, words) => {
    expect(describeDecision(gateWith({ lastAskedAt }))?.words).toBe(`Approved by Ada. The controller ${words}.`);
  });
});
