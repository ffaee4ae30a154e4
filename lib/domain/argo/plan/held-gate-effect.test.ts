import { describe, expect, it } from "vitest";
import type { RolloutActionName } from "#lib/domain/acting/action-catalogue.ts";
import { type ExpectedEffect, noteAnswer } from "#lib/domain/argo/plan/action-effect.ts";
import { assessEffect } from "#lib/domain/argo/plan/assess-effect.ts";
import { planAction } from "#lib/domain/argo/plan/plan-action.ts";
import { type Json, later, pausedAt, rolloutOf, written } from "#lib/domain/argo/plan/testing/effect-samples.ts";

const now = new Date(later);
const steps = [{ setWeight: 20 }, { analysis: {} }, { pause: {} }, { setWeight: 60 }, { pause: {} }];
const strategy = { canary: { steps } };
const background = { currentBackgroundAnalysisRunStatus: { name: "bg", status: "Running" } };
const run = (status: string) => ({ currentStepAnalysisRunStatus: { name: "run", status } });

type Case = {
  action: RolloutActionName;
  what: string;
  before: Json;
  /** The object with only the patch applied. */
  patched: Json;
};

const cases: Case[] = [
  {
    action: "accept-step",
    what: "an Inconclusive run",
    before: {
      currentStepIndex: 1,
      ...pausedAt("2026-11-20T10:00:00Z", "InconclusiveAnalysisRun"),
      canary: { ...background, ...run("Inconclusive") },
    },
    patched: { currentStepIndex: 2, ...pausedAt(later), canary: background },
  },
  {
    action: "skip-step",
    what: "a running analysis",
    before: { currentStepIndex: 1, canary: { ...background, ...run("Running") } },
    patched: { currentStepIndex: 2, ...pausedAt(later), canary: background },
  },
  {
    action: "skip-step",
    what: "a weight",
    before: { currentStepIndex: 3, canary: background },
    patched: { currentStepIndex: 4, ...pausedAt(later), canary: background },
  },
];

function expectedOf({ action, before }: Case): ExpectedEffect {
  const plan = planAction({ action, rollout: rolloutOf(before, { strategy }), now });
  if (plan.kind !== "patches") throw new Error(plan.reason);
  return plan.expectedEffect;
}

describe.each(cases)("$action of $what, with a gate next that our patch holds", (one) => {
  const patched = rolloutOf(one.patched, { strategy });
  const paused = { phase: "Paused", message: "CanaryPauseStep", ...written };
  const taken = rolloutOf({ ...one.patched, ...paused }, { strategy });

  it("has no effect by our patch alone, with the cluster's answer or without it", () => {
    const expected = expectedOf(one);
    for (const asked of [expected, noteAnswer({ expected, rollout: patched })])
      expect(assessEffect({ expected: asked, rollout: patched }).state).toBe("pending");
  });

  it("is effective once the controller says that it is paused there", () => {
    const expected = expectedOf(one);
    for (const asked of [expected, noteAnswer({ expected, rollout: patched })])
      expect(assessEffect({ expected: asked, rollout: taken }).state).toBe("effective");
  });
});
