import { describe, expect, it } from "vitest";
import { describeAsk, explainNotApprovable } from "#components/actions/describe-approval.ts";
import { sampleApproval } from "#components/actions/testing/sample-approval.ts";
import type { Approval } from "#lib/contract/approval.ts";

const sentence = (change: Partial<Approval>) => {
  const { who, asks, target, detail } = describeAsk({ ...sampleApproval, ...change });
  return `${who} ${asks} ${target}${detail}`;
};

describe("describeAsk", () => {
  it.each<[Partial<Approval>, string]>([
    [{}, "oncall asks to fully promote payments/checkout"],
    [
      { requestedBy: "Release Bot", requestedByUsername: "guest" },
      "Release Bot (guest) asks to fully promote payments/checkout",
    ],
    [{ requestedByUsername: null }, "oncall asks to fully promote payments/checkout"],
    [{ own: true }, "You ask to fully promote payments/checkout"],
    [{ action: "undo", params: { toRevision: 0 } }, "oncall asks to revert payments/checkout (to revision 0)"],
    [
      { action: "set-image", params: { container: "app", image: "app:v2" } },
      "oncall asks to set an image of payments/checkout (app = app:v2)",
    ],
    [
      { action: "accept-step", passesPauses: [3, 5] },
      "oncall asks to accept the step's result and continue payments/checkout (may pass step 4 and 6)",
    ],
    [
      { action: "terminate", subject: { kind: "AnalysisRun", name: "checkout-2", uid: "u" } },
      "oncall asks to terminate run checkout-2 of payments/checkout",
    ],
    [
      { action: "retry", subject: { kind: "Experiment", name: "ranking-1", uid: "u" } },
      "oncall asks to retry experiment ranking-1 of payments/checkout",
    ],
  ])("%j", (change, expected) => {
    expect(sentence(change)).toBe(expected);
  });
});

describe("explainNotApprovable", () => {
  it("allows what was asked for in the state that is there now, and nothing else", () => {
    const rollout = { viewDigest: "d", allowedActions: [] };
    expect(explainNotApprovable(sampleApproval, rollout)).toBeUndefined();
    expect(explainNotApprovable(sampleApproval, { ...rollout, viewDigest: "e" })).toMatch(/has changed/);
    expect(explainNotApprovable(sampleApproval, undefined)).toMatch(/no longer recorded/);
  });
});
