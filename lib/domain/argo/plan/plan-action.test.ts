import { describe, expect, it } from "vitest";
import type { RolloutActionName } from "#lib/domain/acting/action-catalogue.ts";
import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import { planAction } from "#lib/domain/argo/plan/plan-action.ts";
import { goingOnCases as cases } from "#lib/domain/argo/plan/testing/plan-cases.ts";
import { type Json, pause, rolloutAt, rolloutFrom, stepRun } from "#lib/domain/argo/plan/testing/plan-samples.ts";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";

const now = new Date("2026-11-20T12:00:00.500Z");

function planOf(action: RolloutActionName, rollout: RolloutObject): string {
  const plan = planAction({ action, rollout, now });
  if (plan.kind === "refused") return `refused ${plan.reasonCode}`;
  return plan.patches
    .map(
      ({ subresource, body }) =>
        `${subresource === "" ? "main" : subresource} ${JSON.stringify(body.status ?? body.spec)}`,
    )
    .join(" + ");
}

describe("planAction", () => {
  const rows = cases.flatMap((state) =>
    Object.entries(state.plans).map(([action, plan]) => ({ state, action: action as RolloutActionName, plan })),
  );
  it.each(rows)("$state.name: $action is $plan", ({ state, action, plan }) => {
    expect(planOf(action, rolloutAt(state))).toBe(plan);
  });

  it.each(cases)("$name: nothing but accept-step moves the step index", (state) => {
    for (const action of ["continue", "measure-again", "continue-waive", "abort", "retry"] as const)
      expect(planOf(action, rolloutAt(state))).not.toContain("currentStepIndex");
  });

  const said = cases.flatMap((state) =>
    Object.entries(state.says ?? {}).map(([action, words]) => ({
      state,
      action: action as RolloutActionName,
      words,
    })),
  );
  it.each(said)("$state.name: says it of $action", ({ state, action, words }) => {
    expect({ waives: undefined, ...planAction({ action, rollout: rolloutAt(state), now }) }).toMatchObject(words);
  });

  it("gives the command that does the same", () => {
    const rollout = rolloutAt({
      name: "",
      status: { ...pause("InconclusiveAnalysisRun"), currentStepIndex: 2, canary: stepRun("Inconclusive") },
    });
    expect(planAction({ action: "accept-step", rollout, now })).toMatchObject({
      kubectl:
        "kubectl patch rollout checkout -n payments --subresource=status --type=merge -p " +
        `'{"status":{"pauseConditions":null,"controllerPause":false,"currentStepIndex":3}}'`,
    });
  });

  it("calls what ends the wait of a blue-green update a promotion, as its status does", () => {
    const status = { ...pause("BlueGreenPause"), blueGreen: { activeSelector: "old" } };
    const byPerson = rolloutAt({ name: "", status, blueGreen: { autoPromotionEnabled: false } });
    expect(planAction({ action: "continue", rollout: byPerson, now })).toMatchObject({
      kind: "patches",
      label: "Promote",
    });
    const canary = rolloutAt({ name: "", status: { ...pause("CanaryPauseStep"), currentStepIndex: 1 } });
    expect(planAction({ action: "continue", rollout: canary, now })).not.toHaveProperty("label");
  });

  it("keeps a hostile name one word of the shell", () => {
    const rollout = rolloutFrom({
      metadata: { name: "a'; rm -rf ~ #" },
      spec: { strategy: { canary: {} } },
      status: { currentPodHash: "new", stableRS: "old" },
    });
    const plan = planAction({ action: "abort", rollout, now });
    expect(plan.kind === "patches" && plan.kubectl).toContain(`kubectl patch rollout 'a'\\''; rm -rf ~ #' -n payments`);
  });
});

describe("against upstream's promote", () => {
  type PromoteCase = { id: string; rollout: Json | null; flags: string[]; expect: { patches?: Json[] } };
  const plain = loadCases<PromoteCase>("argo-promote-patch").filter(
    ({ flags, rollout }) => flags.length === 0 && rollout,
  );

  // In the other order (ADR 4). Without a pause, upstream's promote skips the running step; Continue must refuse then
  // instead.
  it.each(plain)(
    "$id: Continue sends upstream's patches, or refuses where these would skip a step",
    ({ rollout, expect: expected }) => {
      const plan = planAction({ action: "continue", rollout: rolloutFrom(rollout ?? {}), now });
      const skips = JSON.stringify(expected.patches).includes("currentStepIndex");
      if (plan.kind === "patches") expect(plan.patches).toEqual(expected.patches?.toReversed());
      else expect(skips || expected.patches?.length === 0).toBe(true);
    },
  );

  it.each(cases)("$name: whatever goes on sends what upstream's promote would, but for measuring again", (state) => {
    const rollout = rolloutAt(state);
    for (const action of ["continue", "accept-step", "continue-waive"] as const) {
      const plan = planAction({ action, rollout, now });
      if (plan.kind === "patches") expect(plan.patches).toEqual(ownOrder({ action, rollout }));
    }
  });

  it("has plain cases to compare", () => {
    expect(plain.length).toBeGreaterThan(1);
  });
});

/**
 * Returns our order (ADR 4): the reverse, except if no announced pause is cleared; and a pause that comes next
 * is held.
 */
function ownOrder({ action, rollout }: { action: RolloutActionName; rollout: RolloutObject }): unknown[] {
  const patches = upstreamPromote(rollout);
  const { status, spec } = rollout;
  const isAnnounced = status.pauseConditions?.some(({ reason }) => /^(CanaryPauseStep|BlueGreenPause)$/.test(reason));
  if (action === "continue-waive" && !isAnnounced) return patches;
  const next = (status.currentStepIndex ?? 0) + 1;
  // The run of an earlier step, which the status still names: upstream then moves the index past the pause.
  if (spec.strategy.canary !== undefined && spec.strategy.canary.steps?.[next - 1]?.analysis === undefined)
    return [...patches.slice(1).toReversed(), { subresource: "status", body: { status: { pauseConditions: null } } }];
  const holds = action === "accept-step" && spec.strategy.canary?.steps?.[next]?.pause !== undefined;
  const pauseConditions = [{ reason: "CanaryPauseStep", startTime: "2026-11-20T12:00:00Z" }];
  const canary = { currentStepAnalysisRunStatus: null };
  const held = { status: { pauseConditions, controllerPause: true, currentStepIndex: next, canary } };
  return (holds ? [{ subresource: "status", body: held }, ...patches.slice(1)] : patches).toReversed();
}

/**
 * Mirrors pkg/kubectl-argo-rollouts/cmd/promote/promote.go, getPatches without flags, for rollouts with a pause
 * condition.
 */
function upstreamPromote({ spec, status }: RolloutObject): unknown[] {
  const length = spec.strategy.canary?.steps?.length ?? 0;
  const next = Math.min((status.currentStepIndex ?? 0) + 1, length);
  const inconclusive = status.canary?.currentStepAnalysisRunStatus?.status === "Inconclusive";
  const body =
    spec.strategy.canary !== undefined && inconclusive && status.controllerPause
      ? { pauseConditions: null, controllerPause: false, currentStepIndex: next }
      : { pauseConditions: null };
  const patches: unknown[] = [{ subresource: "status", body: { status: body } }];
  return spec.paused ? [...patches, { subresource: "", body: { spec: { paused: false } } }] : patches;
}
