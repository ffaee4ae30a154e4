import { describe, expect, it } from "vitest";
import type { FlaggerAction } from "./action-judgement.ts";
import type { CanaryAssessment } from "./canary-state.ts";
import { type Asked, assess } from "./testing/assess-sample.ts";
import { emptyWorkload, failedWorkload } from "./testing/sample-workload.ts";
import { stateCases } from "./testing/state-cases.ts";

const safeOf = ({ actions }: CanaryAssessment): string[] =>
  Object.entries(actions).flatMap(([action, { safe }]) => (safe ? [action] : []));
const codeOf = ({ actions }: CanaryAssessment, action: FlaggerAction): string => {
  const judgement = actions[action];
  return judgement.safe ? "safe" : judgement.reasonCode;
};

const promoting = { phase: "Promoting", canaryWeight: 50 };
const stepGateWait = { hook: "step", at: "2026-08-01T10:00:00Z" };
const failed = { phase: "Failed", canaryWeight: 100 };

describe("assessCanary of", () => {
  it.each(stateCases)("$name", ({ is, safe, ...asked }) => {
    const assessment = assess(asked);
    expect(assessment).toMatchObject(is);
    expect(safeOf(assessment)).toEqual(safe);
  });

  it("never shows the secret of a hook's URL", () => {
    const webhooks = [{ name: "gate", type: "confirm-rollout", url: "http://u:secret@x.test/?t=hidden" }];
    const text = JSON.stringify(assess({ status: { phase: "Waiting" }, analysis: { webhooks } }));
    expect(text).toContain("x.test");
    expect(text).not.toMatch(/secret|hidden/);
  });
});

describe("the reasons of a refusal", () => {
  it.each([
    { action: "retrigger", asked: { status: promoting }, code: "run-in-progress" },
    {
      action: "retrigger",
      asked: { spec: { targetRef: { kind: "Service", name: "x" } }, status: failed },
      code: "no-pod-template",
    },
    {
      action: "rollback",
      asked: { analysis: { webhooks: [] }, status: { canaryWeight: 10 } },
      code: "no-rollback-hook",
    },
    { action: "rollback", asked: { status: { phase: "Waiting" } }, code: "not-asked" },
    {
      action: "rollback",
      asked: { status: { canaryWeight: 10 }, primary: failedWorkload() },
      code: "primary-not-ready",
    },
    { action: "suspend", asked: { version: "1.31.0" }, code: "no-suspend" },
    { action: "suspend", asked: { status: promoting, primary: emptyWorkload() }, code: "stops-rescue" },
    { action: "skip-analysis", asked: { status: { phase: "WaitingPromotion" } }, code: "bypasses-gate" },
    { action: "skip-analysis", asked: { status: { phase: "Finalising" } }, code: "primary-not-ready" },
    {
      action: "skip-analysis",
      asked: { status: { canaryWeight: 10 }, target: emptyWorkload() },
      code: "canary-not-ready",
    },
    {
      action: "approve",
      asked: { status: { phase: "WaitingPromotion" }, spec: { skipAnalysis: true } },
      code: "skips-analysis",
    },
    { action: "approve", asked: { previous: { stepGateWait, weightBeforeRun: 100 } }, code: "weight-differs" },
    { action: "approve", asked: { status: { canaryWeight: 20 }, previous: { stepGateWait } }, code: "safe" },
    { action: "approve", asked: { previous: { stepGateWait } }, code: "safe" },
    { action: "approve", asked: { spec: { suspend: true }, status: { phase: "Waiting" } }, code: "suspended" },
  ] as const)("$action: $code", ({ action, asked, code }) => {
    expect(codeOf(assess(asked), action)).toBe(code);
  });

  it("say what to do instead, in full sentences", () => {
    for (const asked of stateCases) {
      const { actions, message, advice, notes, hazards } = assess(asked);
      const sentences = [
        message,
        ...advice.filter((text) => !text.includes("kubectl")),
        ...notes,
        ...hazards.map(({ reason }) => reason),
        ...Object.values(actions).flatMap((judgement) => (judgement.safe ? judgement.warnings : [judgement.reason])),
      ];
      expect(sentences.filter((text) => !/^[A-Z0-9s].*\.$/s.test(text) || /undefined|null|NaN/.test(text))).toEqual([]);
    }
  });
});

describe("the advice", () => {
  const adviceOf = (asked: Asked) => assess(asked).advice.join(" ");
  it.each([
    [
      "before the deadline of 1.43",
      { version: "1.43.0", status: promoting, primary: emptyWorkload() },
      /^Suspend now.* after 10:01:10 UTC/,
    ],
    [
      "before the deadline of 1.44",
      { status: promoting, primary: emptyWorkload() },
      /^Do not suspend yet: after 10:01:10 UTC/,
    ],
    [
      "before the deadline without a router",
      { spec: { provider: "kubernetes" }, status: promoting, primary: emptyWorkload() },
      /^Flagger cannot move users away/,
    ],
    ["after the failure of 1.44", { status: failed, primary: emptyWorkload() }, /^Suspend first/],
    ["after the recovery", { status: failed }, /retrigger to promote again/],
    [
      "after an outage",
      {
        version: "1.43.0",
        status: { phase: "Failed" },
        previous: { previousPhase: "Promoting" },
        primary: emptyWorkload(),
      },
      /kubectl rollout undo deployment\/podinfo-primary -n test .*-primary ConfigMaps and Secrets/,
    ],
    ["in an analysis", {}, /^$/],
  ] as const)("%s", (_, asked, text) => {
    expect(adviceOf(asked)).toMatch(text);
  });
});
