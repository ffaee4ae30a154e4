import { describe, expect, it } from "vitest";
import { offerTemplateAction } from "#lib/domain/argo/plan/offer-actions.ts";
import { argoActions, planAction } from "#lib/domain/argo/plan/plan-action.ts";
import { pause, rolloutAt } from "#lib/domain/argo/plan/testing/plan-samples.ts";

const now = new Date("2026-11-20T12:00:00Z");
const revisions = [
  { revision: 1, podHash: "old", images: ["shop:v1"] },
  { revision: 2, podHash: "new", images: ["shop:v2"] },
];
const words = (path: string) => `The Rollout "checkout" is invalid: ${path}: Invalid value: no`;

function refusedAt(path: string, { status = "True" } = {}) {
  const message = words(path);
  return rolloutAt({
    name: path,
    paused: true,
    status: {
      ...pause("CanaryPauseStep"),
      abort: false,
      currentStepIndex: 1,
      conditions: [{ type: "InvalidSpec", status, reason: "InvalidSpec", message }],
    },
  });
}

/** Lists every action that is not refused because of the spec. */
function offered(rollout: ReturnType<typeof refusedAt>): string[] {
  return argoActions.filter((action) => {
    const plan =
      offerTemplateAction({ action, rollout, replicaSets: revisions }) ?? planAction({ action, rollout, now });
    return plan.kind !== "refused" || plan.reasonCode !== "invalid_spec";
  });
}

describe("while the controller refuses the spec", () => {
  it.each([
    { path: "spec.strategy.steps[2].setWeight", left: ["pause"] },
    { path: "spec.workloadRef.name", left: ["pause"] },
    { path: "spec.template.metadata.labels", left: ["undo", "pause"] },
    { path: "spec.template.spec.containers[0].image", left: ["undo", "set-image", "pause"] },
  ])("$path leaves what can mend it, and pause: $left", ({ path, left }) => {
    expect(offered(refusedAt(path))).toEqual(left);
  });

  it("refuses in the controller's words", () => {
    const path = "spec.strategy.steps[2].setWeight";
    expect(planAction({ action: "abort", rollout: refusedAt(path), now })).toEqual({
      kind: "refused",
      reasonCode: "invalid_spec",
      reason: `The controller does nothing until the spec is valid again. It says: "${words(path)}"`,
    });
  });

  it("says of pause that it works later", () => {
    const rollout = { ...refusedAt("spec.x") };
    expect(
      planAction({ action: "pause", rollout: { ...rollout, spec: { ...rollout.spec, paused: false } }, now }),
    ).toMatchObject({
      effect: expect.stringContaining("this pause takes effect once the spec is valid"),
    });
  });

  it("keeps secrets and long texts out of the sentence", () => {
    const plan = planAction({ action: "abort", rollout: refusedAt(`http://u:hunter2x@host/${"x".repeat(900)}`), now });
    expect(plan.kind === "refused" && plan.reason.length).toBeLessThan(500);
    expect(JSON.stringify(plan)).not.toContain("hunter2x");
  });

  it("is over once the condition is not true", () => {
    expect(offered(refusedAt("spec.x", { status: "False" }))).toEqual([...argoActions]);
  });
});
