import { describe, expect, it } from "vitest";
import type { RolloutGate } from "#lib/contract/hook.ts";
import { describeAnswer, describeDecision } from "./gates-panel.tsx";

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

describe("the last answer to Flagger", () => {
  it.each([
    ["confirm-promotion", 403, "not_approved", "Waiting for approval"],
    ["confirm-promotion", 403, "unknown_phase", "Waiting: unknown phase"],
    ["confirm-promotion", 200, "approved", "Approved"],
    ["rollback", 403, "cluster_view_stale", "Not rolled back: Gatehouse's data is too old"],
    ["rollback", 403, "unknown_phase", "Not rolled back: unknown phase"],
    ["rollback", 403, "no_abort_requested", "No rollback requested"],
    ["rollback", 200, "abort_requested", "Rolling back"],
  ] as const)("at %s: %s %s", (gate, status, reason, words) => {
    expect(describeAnswer({ gate, lastAnswer: { status, reason } })).toBe(words);
  });

  it("is unknown before it asks", () => {
    expect(describeAnswer({ gate: "rollback", lastAnswer: null })).toBeUndefined();
  });
});

describe("a decision that was not served", () => {
  it.each([
    [null, "has not checked since then"],
    ["2026-11-22T09:59:59Z", "has not checked since then"],
    ["2026-11-22T10:00:01Z", "has checked since then and got a different answer"],
  ])("when Flagger last checked at %s", (lastAskedAt, words) => {
    expect(describeDecision(gateWith({ lastAskedAt }))?.words).toBe(`Approved by Ada. Flagger ${words}.`);
  });
});
