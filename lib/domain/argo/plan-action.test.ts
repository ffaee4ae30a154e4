import { describe, expect, it } from "vitest";
import { planAction } from "#lib/domain/argo/plan-action.ts";
import type { PlannedActionName } from "#lib/domain/argo/plan-types.ts";
import type { RolloutObject } from "#lib/domain/argo/rollout-object.ts";
import {
  background,
  type Json,
  type PlanState,
  pause,
  rolloutAt,
  rolloutFrom,
  stepRun,
} from "#lib/domain/argo/testing/plan-samples.ts";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";

const now = new Date("2026-11-20T12:00:00.500Z");

type Case = PlanState & { plans: Partial<Record<PlannedActionName, string>> };

const clear = 'status {"pauseConditions":null}';
const unpause = 'main {"paused":false}';
const accept = (index: number) => `status {"pauseConditions":null,"controllerPause":false,"currentStepIndex":${index}}`;

/** What each named action becomes: its patches in order, or the code of its refusal. */
const cases: Case[] = [
  {
    name: "canary at a pause step",
    status: { ...pause("CanaryPauseStep"), currentStepIndex: 1 },
    plans: {
      continue: clear,
      "accept-step": "refused not_inconclusive",
      "measure-again": "refused not_inconclusive",
      "continue-waive": "refused not_inconclusive",
      abort: 'status {"abort":true}',
      retry: "refused not_aborted",
    },
  },
  {
    name: "canary at a pause step, controllerPause false",
    status: { ...pause("CanaryPauseStep"), controllerPause: false, currentStepIndex: 1 },
    plans: { continue: clear },
  },
  {
    name: "canary at a pause step and paused by a person",
    paused: true,
    status: { ...pause("CanaryPauseStep"), currentStepIndex: 1 },
    plans: { continue: `${clear} + ${unpause}`, abort: 'status {"abort":true}' },
  },
  {
    name: "canary at a pause step, background run running",
    status: { ...pause("CanaryPauseStep"), currentStepIndex: 1, canary: background("Running") },
    plans: { continue: clear, "continue-waive": "refused not_inconclusive" },
  },
  {
    name: "canary at a pause step, background run Inconclusive, both reasons",
    status: {
      ...pause("CanaryPauseStep", "InconclusiveAnalysisRun"),
      currentStepIndex: 1,
      canary: background("Inconclusive"),
    },
    plans: {
      continue: "refused would_waive",
      "accept-step": "refused not_inconclusive",
      "measure-again": "refused would_waive",
      "continue-waive": clear,
      abort: 'status {"abort":true}',
    },
  },
  {
    name: "canary at a pause step, background run Inconclusive, its reason not recorded (argo-rollouts #3850)",
    status: { ...pause("CanaryPauseStep"), currentStepIndex: 1, canary: background("Inconclusive") },
    plans: { continue: "refused would_waive", "continue-waive": clear },
  },
  {
    name: "canary between steps, background run Inconclusive",
    status: { ...pause("InconclusiveAnalysisRun"), currentStepIndex: 3, canary: background("Inconclusive") },
    plans: { continue: "refused would_waive", "measure-again": "refused would_waive", "continue-waive": clear },
  },
  {
    name: "background run Inconclusive, paused by a person as well",
    paused: true,
    status: { ...pause("InconclusiveAnalysisRun"), currentStepIndex: 3, canary: background("Inconclusive") },
    plans: { "continue-waive": `${clear} + ${unpause}` },
  },
  {
    name: "Inconclusive pause whose run the status no longer names",
    status: { ...pause("InconclusiveAnalysisRun"), currentStepIndex: 3 },
    plans: { continue: "refused would_waive", "measure-again": "refused not_inconclusive", "continue-waive": clear },
  },
  {
    name: "inline analysis Inconclusive",
    status: { ...pause("InconclusiveAnalysisRun"), currentStepIndex: 2, canary: stepRun("Inconclusive") },
    plans: {
      continue: "refused inconclusive",
      "accept-step": accept(3),
      "measure-again": clear,
      "continue-waive": "refused inconclusive",
      abort: 'status {"abort":true}',
      retry: "refused not_aborted",
    },
  },
  {
    name: "inline analysis Inconclusive at the last step",
    steps: [{ setWeight: 20 }, { analysis: {} }],
    status: { ...pause("InconclusiveAnalysisRun"), currentStepIndex: 1, canary: stepRun("Inconclusive") },
    plans: { "accept-step": accept(2) },
  },
  {
    name: "inline analysis Inconclusive at step 0, index absent",
    steps: [{ analysis: {} }, { setWeight: 20 }],
    status: { ...pause("InconclusiveAnalysisRun"), canary: stepRun("Inconclusive") },
    plans: { "accept-step": accept(1), "measure-again": clear },
  },
  {
    name: "inline analysis Inconclusive, paused by a person as well",
    paused: true,
    status: { ...pause("InconclusiveAnalysisRun"), currentStepIndex: 2, canary: stepRun("Inconclusive") },
    plans: { "accept-step": `${accept(3)} + ${unpause}`, "measure-again": `${clear} + ${unpause}` },
  },
  {
    name: "inline and background analysis Inconclusive",
    status: {
      ...pause("InconclusiveAnalysisRun"),
      currentStepIndex: 2,
      canary: { ...stepRun("Inconclusive"), ...background("Inconclusive") },
    },
    plans: {
      continue: "refused inconclusive",
      "accept-step": accept(3),
      "measure-again": clear,
      "continue-waive": "refused inconclusive",
    },
  },
  {
    name: "inline analysis Inconclusive, controllerPause false",
    status: {
      ...pause("InconclusiveAnalysisRun"),
      controllerPause: false,
      currentStepIndex: 2,
      canary: stepRun("Inconclusive"),
    },
    plans: {
      continue: "refused inconclusive",
      "accept-step": "refused not_settled",
      "measure-again": "refused not_settled",
    },
  },
  {
    name: "inline analysis Inconclusive, pause not recorded yet",
    status: { currentStepIndex: 2, canary: stepRun("Inconclusive") },
    plans: {
      continue: "refused not_paused",
      "accept-step": "refused not_paused",
      "measure-again": "refused not_paused",
    },
  },
  {
    name: "inline analysis Inconclusive, someone has continued already",
    status: { controllerPause: true, currentStepIndex: 2, canary: stepRun("Inconclusive") },
    plans: {
      continue: "refused already_continued",
      "accept-step": "refused already_continued",
      "measure-again": "refused already_continued",
      "continue-waive": "refused already_continued",
    },
  },
  {
    name: "inline analysis running",
    status: { currentStepIndex: 2, canary: stepRun("Running") },
    plans: { continue: "refused not_paused", "accept-step": "refused not_paused", abort: 'status {"abort":true}' },
  },
  {
    name: "experiment Inconclusive",
    steps: [{ experiment: {} }, { setWeight: 20 }],
    status: { ...pause("InconclusiveExperiment"), currentStepIndex: 0, canary: { currentExperiment: "e-1" } },
    plans: {
      continue: "refused inconclusive",
      "accept-step": "refused not_inconclusive",
      "measure-again": clear,
      "continue-waive": "refused inconclusive",
    },
  },
  {
    name: "setWeight step running",
    status: { currentStepIndex: 3 },
    plans: {
      continue: "refused not_paused",
      "accept-step": "refused not_paused",
      "measure-again": "refused not_paused",
      "continue-waive": "refused not_paused",
    },
  },
  {
    name: "paused by a person only",
    paused: true,
    status: { currentStepIndex: 3 },
    plans: { continue: "refused paused_in_spec", abort: 'status {"abort":true}' },
  },
  {
    name: "blue-green waiting",
    blueGreen: true,
    status: pause("BlueGreenPause"),
    plans: {
      continue: clear,
      "accept-step": "refused not_inconclusive",
      "measure-again": "refused not_inconclusive",
      abort: 'status {"abort":true}',
    },
  },
  {
    name: "blue-green, pre-promotion run Inconclusive",
    blueGreen: true,
    status: {
      ...pause("InconclusiveAnalysisRun"),
      blueGreen: { prePromotionAnalysisRunStatus: { name: "pre", status: "Inconclusive" } },
    },
    plans: {
      continue: "refused inconclusive",
      "accept-step": "refused not_inconclusive",
      "measure-again": clear,
      "continue-waive": "refused inconclusive",
    },
  },
  {
    name: "blue-green, pre-promotion run Inconclusive and BlueGreenPause",
    blueGreen: true,
    status: {
      ...pause("BlueGreenPause", "InconclusiveAnalysisRun"),
      blueGreen: { prePromotionAnalysisRunStatus: { name: "pre", status: "Inconclusive" } },
    },
    plans: { continue: "refused inconclusive", "measure-again": clear },
  },
  {
    name: "blue-green, post-promotion run Inconclusive",
    blueGreen: true,
    status: {
      ...pause("InconclusiveAnalysisRun"),
      blueGreen: { postPromotionAnalysisRunStatus: { name: "post", status: "Inconclusive" } },
    },
    plans: { continue: "refused inconclusive", "measure-again": clear, abort: 'status {"abort":true}' },
  },
  {
    name: "aborted",
    status: { abort: true, currentStepIndex: 0, ...pause("CanaryPauseStep") },
    plans: {
      continue: "refused aborted",
      "accept-step": "refused aborted",
      "measure-again": "refused aborted",
      "continue-waive": "refused aborted",
      abort: "refused already_aborted",
      retry: 'status {"abort":false}',
    },
  },
  {
    name: "full promotion pending",
    status: { promoteFull: true, currentStepIndex: 1, ...pause("CanaryPauseStep") },
    plans: {
      continue: "refused promote_full_pending",
      abort: "refused promote_full_pending",
      retry: "refused not_aborted",
    },
  },
  {
    name: "fully promoted",
    status: { currentPodHash: "same", stableRS: "same", currentStepIndex: 6 },
    plans: { continue: "refused fully_promoted", abort: "refused fully_promoted", retry: "refused not_aborted" },
  },
  {
    name: "first deployment, nothing stable yet",
    status: { stableRS: "", currentStepIndex: 6 },
    plans: { continue: "refused not_paused", abort: 'status {"abort":true}' },
  },
  {
    name: "canary without steps",
    steps: null,
    plans: { continue: "refused not_paused", abort: 'status {"abort":true}' },
  },
  {
    name: "a pause reason that is not known",
    status: { ...pause("SomethingNew"), currentStepIndex: 1 },
    plans: {
      continue: "refused unknown_state",
      "continue-waive": "refused unknown_state",
      abort: 'status {"abort":true}',
    },
  },
  {
    name: "a run's phase that is not known",
    status: { ...pause("CanaryPauseStep"), currentStepIndex: 1, canary: background("Doubtful") },
    plans: { continue: "refused unknown_state" },
  },
  {
    name: "being deleted",
    deleting: true,
    status: { ...pause("CanaryPauseStep"), currentStepIndex: 1 },
    plans: { continue: "refused being_deleted", abort: "refused being_deleted", retry: "refused being_deleted" },
  },
];

function planOf(action: PlannedActionName, rollout: RolloutObject): string {
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
    Object.entries(state.plans).map(([action, plan]) => ({ state, action: action as PlannedActionName, plan })),
  );
  it.each(rows)("$state.name: $action is $plan", ({ state, action, plan }) => {
    expect(planOf(action, rolloutAt(state))).toBe(plan);
  });

  it.each(cases)("$name: nothing but accept-step moves the step index", (state) => {
    for (const action of ["continue", "measure-again", "continue-waive", "abort", "retry"] as const)
      expect(planOf(action, rolloutAt(state))).not.toContain("currentStepIndex");
  });

  it("says the effect with numbers, what it waives, and the command", () => {
    const rollout = rolloutAt({
      name: "",
      status: { ...pause("InconclusiveAnalysisRun"), currentStepIndex: 2, canary: stepRun("Inconclusive") },
    });
    expect(planAction({ action: "accept-step", rollout, now })).toMatchObject({
      effect: "Accepts the Inconclusive result of step-1: the rollout goes on with step 4 of 6, setWeight 60.",
      waives: "run step-1",
      kubectl:
        "kubectl patch rollout checkout -n payments --subresource=status --type=merge -p " +
        `'{"status":{"pauseConditions":null,"controllerPause":false,"currentStepIndex":3}}'`,
    });
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

  // Without a pause, upstream's promote skips the running step; Continue must refuse there instead.
  it.each(plain)(
    "$id: Continue sends upstream's patches, or refuses where these would skip a step",
    ({ rollout, expect: expected }) => {
      const plan = planAction({ action: "continue", rollout: rolloutFrom(rollout ?? {}), now });
      const skips = JSON.stringify(expected.patches).includes("currentStepIndex");
      if (plan.kind === "patches") expect(plan.patches).toEqual(expected.patches);
      else expect(skips || expected.patches?.length === 0).toBe(true);
    },
  );

  it.each(cases)("$name: whatever goes on sends what upstream's promote would, but for measuring again", (state) => {
    const rollout = rolloutAt(state);
    for (const action of ["continue", "accept-step", "continue-waive"] as const) {
      const plan = planAction({ action, rollout, now });
      if (plan.kind === "patches") expect(plan.patches).toEqual(upstreamPromote(rollout));
    }
  });

  it("has plain cases to compare", () => {
    expect(plain.length).toBeGreaterThan(1);
  });
});

/** pkg/kubectl-argo-rollouts/cmd/promote/promote.go, getPatches without flags, for what has a pause condition. */
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
