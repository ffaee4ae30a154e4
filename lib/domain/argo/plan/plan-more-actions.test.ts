import { describe, expect, it } from "vitest";
import type { RolloutActionName } from "#lib/domain/acting/action-catalogue.ts";
import { planAction } from "#lib/domain/argo/plan/plan-action.ts";
import {
  argoCd,
  background,
  endsWarning,
  type Json,
  type PlanCase,
  pause,
  revertWarning,
  rolloutAt,
  rolloutFrom,
  stepRun,
} from "#lib/domain/argo/plan/testing/plan-samples.ts";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";

const now = new Date("2026-11-20T12:00:00.500Z");
const unpause = 'main {"paused":false}';
const index = (step: number) => `status {"currentStepIndex":${step}}`;
const full = 'status {"promoteFull":true}';
const hold = 'main {"paused":true}';
const restart = 'main {"restartAt":"2026-11-20T12:00:00Z"}';

/** Skips, full promotion, pause, unpause and restart in each state; the others are in plan-action.test.ts. */
const cases: PlanCase[] = [
  {
    name: "setWeight step running",
    status: { currentStepIndex: 3 },
    plans: {
      "skip-step": index(4),
      "skip-all": index(6),
      "promote-full": full,
      pause: hold,
      unpause: "refused not_paused",
      restart,
    },
  },
  {
    name: "inline analysis running",
    status: { currentStepIndex: 2, canary: stepRun("Running") },
    plans: { "skip-step": index(3), "skip-all": index(6), "promote-full": full },
    says: {
      "skip-step": {
        effect:
          "Skips step 3 of 6 (analysis): the rollout continues at step 4 of 6 (60 % traffic). Then wait 10 min → a step of an unknown kind → 100 %, no further analysis.",
        waives: "the unfinished run step-1",
        warnings: [endsWarning("run step-1")],
      },
      "skip-all": { waives: "the unfinished run step-1", warnings: [endsWarning("run step-1")] },
      "promote-full": { waives: "the unfinished run step-1", warnings: [endsWarning("run step-1")] },
    },
  },
  {
    name: "inline analysis and background run running",
    status: { currentStepIndex: 2, canary: { ...stepRun("Running"), ...background("Running") } },
    plans: { "skip-step": index(3), "skip-all": index(6), "promote-full": full },
    says: {
      "skip-step": { waives: "the unfinished run step-1", warnings: [endsWarning("run step-1")] },
      "skip-all": {
        waives: "the unfinished run step-1",
        warnings: [endsWarning("run step-1"), "Run bg-1 continues until the promotion, which ends it."],
      },
      "promote-full": {
        effect: "Promotes new to all traffic as soon as it is available, skipping 4 steps, all analysis.",
        waives: "the unfinished run step-1 and the unfinished run bg-1",
        warnings: [endsWarning("run step-1 and run bg-1")],
      },
    },
  },
  {
    name: "inline analysis successful a moment ago, background run ended early",
    status: { currentStepIndex: 2, canary: { ...stepRun("Successful"), ...background("Successful") } },
    plans: { "skip-all": index(6), "promote-full": full },
    says: { "skip-all": { waives: undefined, warnings: [] }, "promote-full": { waives: undefined, warnings: [] } },
  },
  {
    name: "background analysis that begins with a later step",
    canary: { analysis: { startingStep: 4, templates: [{ templateName: "slo" }] } },
    status: { currentStepIndex: 3 },
    plans: { "promote-full": full },
    says: { "promote-full": { waives: "the upcoming background analysis" } },
  },
  {
    name: "all steps before it, background analysis not begun, an analysis to come",
    canary: { analysis: { templates: [{ templateName: "slo" }] } },
    status: { currentStepIndex: 0 },
    plans: { "promote-full": full, "skip-all": index(6) },
    says: {
      "promote-full": { waives: "the upcoming background analysis and 1 upcoming analysis" },
      "skip-all": { waives: "1 upcoming analysis" },
    },
  },
  {
    name: "at a pause step",
    status: { ...pause("CanaryPauseStep"), currentStepIndex: 1 },
    plans: { "skip-step": "refused at_pause_step", "skip-all": index(6), "promote-full": full, pause: hold },
  },
  {
    name: "inline analysis Inconclusive",
    status: { ...pause("InconclusiveAnalysisRun"), currentStepIndex: 2, canary: stepRun("Inconclusive") },
    plans: { "skip-step": "refused inconclusive", "skip-all": "refused inconclusive", "promote-full": full },
  },
  {
    name: "background run Inconclusive, its reason not recorded",
    status: { currentStepIndex: 3, canary: background("Inconclusive") },
    plans: { "skip-step": "refused inconclusive", "skip-all": "refused inconclusive", "promote-full": full },
  },
  {
    name: "experiment Inconclusive",
    steps: [{ experiment: {} }, { setWeight: 20 }],
    status: { ...pause("InconclusiveExperiment"), currentStepIndex: 0, canary: { currentExperiment: "e-1" } },
    plans: {
      "skip-step": 'status {"pauseConditions":null,"controllerPause":false,"currentStepIndex":1}',
      "skip-all": "refused inconclusive",
      "promote-full": full,
    },
    says: {
      "skip-step": {
        effect:
          "Skips step 1 of 2 (experiment): the rollout continues at step 2 of 2 (20 % traffic). Then 100 %, no further analysis.",
        waives: "the Inconclusive experiment",
        warnings: [endsWarning("experiment e-1")],
      },
      "promote-full": { waives: "the Inconclusive experiment", warnings: [endsWarning("experiment e-1")] },
    },
  },
  {
    name: "experiment Inconclusive, the next one not begun",
    steps: [{ experiment: {} }, { setWeight: 20 }],
    status: { ...pause("InconclusiveExperiment"), currentStepIndex: 0 },
    plans: { "skip-step": 'status {"pauseConditions":null,"controllerPause":false,"currentStepIndex":1}' },
    says: { "skip-step": { waives: "the Inconclusive experiment", warnings: [] } },
  },
  {
    name: "experiment running",
    steps: [{ experiment: {} }, { setWeight: 20 }, { experiment: {} }],
    status: { currentStepIndex: 0, canary: { currentExperiment: "e-1" } },
    plans: { "skip-step": index(1), "skip-all": index(3) },
    says: {
      "skip-step": { waives: "the unfinished experiment e-1", warnings: [endsWarning("experiment e-1")] },
      "skip-all": {
        waives: "the unfinished experiment e-1 and 1 upcoming analysis",
        warnings: [endsWarning("experiment e-1")],
      },
    },
  },
  {
    // The controller keeps the running one for the next experiment step (rollout/experiment.go reconcileExperiments).
    name: "experiment running, another one comes next",
    steps: [{ experiment: {} }, { experiment: {} }],
    status: { currentStepIndex: 0, canary: { currentExperiment: "e-1" } },
    plans: { "skip-step": index(1) },
    says: {
      "skip-step": {
        waives: "the experiment of step 1 of 2",
        warnings: ["Experiment e-1 has not ended: it continues as the experiment of step 2 of 2."],
      },
    },
  },
  {
    name: "paused by a person",
    paused: true,
    status: { currentStepIndex: 3 },
    plans: {
      "skip-step": "refused paused_in_spec",
      "skip-all": "refused paused_in_spec",
      "promote-full": `${full} + ${unpause}`,
      pause: "refused paused_in_spec",
      unpause,
      restart,
    },
    metadata: argoCd,
    says: {
      "promote-full": { warnings: [revertWarning] },
      unpause: { effect: "Clears the pause in spec.paused. The update continues.", warnings: [revertWarning] },
    },
  },
  {
    name: "all steps completed, new version not available yet",
    status: { currentStepIndex: 6 },
    plans: { "skip-step": "refused no_steps_left", "skip-all": "refused no_steps_left", "promote-full": full },
  },
  {
    name: "aborted",
    status: { abort: true, currentStepIndex: 0 },
    plans: {
      "skip-step": "refused aborted",
      "skip-all": "refused aborted",
      "promote-full": full,
      pause: hold,
      restart,
    },
  },
  {
    name: "full promotion pending",
    status: { promoteFull: true, currentStepIndex: 1 },
    plans: {
      "skip-step": "refused promote_full_pending",
      "skip-all": "refused promote_full_pending",
      "promote-full": "refused promote_full_pending",
      pause: hold,
    },
  },
  {
    name: "fully promoted",
    status: { currentPodHash: "same", stableRS: "same", currentStepIndex: 6 },
    plans: {
      "skip-step": "refused fully_promoted",
      "skip-all": "refused fully_promoted",
      "promote-full": "refused fully_promoted",
      pause: hold,
      restart,
    },
  },
  {
    name: "canary without steps",
    steps: null,
    plans: { "skip-step": "refused no_steps", "skip-all": "refused no_steps", "promote-full": full },
  },
  {
    name: "blue-green waiting",
    blueGreen: true,
    status: pause("BlueGreenPause"),
    plans: { "skip-step": "refused no_steps", "skip-all": "refused no_steps", "promote-full": full },
  },
  {
    name: "blue-green, pre-promotion run Inconclusive",
    blueGreen: true,
    status: {
      ...pause("InconclusiveAnalysisRun"),
      blueGreen: { prePromotionAnalysisRunStatus: { name: "pre", status: "Inconclusive" } },
    },
    plans: { "promote-full": full },
    says: { "promote-full": { waives: "the Inconclusive result of run pre", warnings: [] } },
  },
  {
    name: "blue-green waiting, pre-promotion run Successful, post-promotion analysis to come",
    blueGreen: {
      autoPromotionEnabled: false,
      prePromotionAnalysis: { templates: [{ templateName: "smoke" }] },
      postPromotionAnalysis: { templates: [{ templateName: "slo" }] },
    },
    status: {
      ...pause("BlueGreenPause"),
      blueGreen: { prePromotionAnalysisRunStatus: { name: "pre", status: "Successful" } },
    },
    plans: { "promote-full": full },
    says: { "promote-full": { waives: "the upcoming post-promotion analysis", warnings: [] } },
  },
  {
    name: "blue-green, nothing analysed yet",
    blueGreen: {
      prePromotionAnalysis: { templates: [{ templateName: "smoke" }] },
      postPromotionAnalysis: { templates: [] },
    },
    plans: { "promote-full": full },
    says: { "promote-full": { waives: "the upcoming pre-promotion analysis" } },
  },
  {
    name: "blue-green, post-promotion run running",
    blueGreen: { prePromotionAnalysis: { templates: [{ templateName: "smoke" }] } },
    status: {
      blueGreen: { activeSelector: "new", postPromotionAnalysisRunStatus: { name: "post", status: "Running" } },
    },
    plans: { "promote-full": full },
    says: { "promote-full": { waives: "the unfinished run post", warnings: [endsWarning("run post")] } },
  },
  {
    name: "a pause reason that is not known",
    status: { ...pause("SomethingNew"), currentStepIndex: 1 },
    plans: {
      "skip-step": "refused unknown_state",
      "skip-all": "refused unknown_state",
      "promote-full": "refused unknown_state",
      unpause: "refused unknown_state",
      restart: "refused unknown_state",
      pause: hold,
    },
  },
  {
    name: "the new version not taken up",
    status: { currentPodHash: "" },
    plans: { "promote-full": "refused not_settled" },
  },
  {
    name: "being deleted",
    deleting: true,
    plans: {
      "skip-step": "refused being_deleted",
      "promote-full": "refused being_deleted",
      pause: "refused being_deleted",
    },
  },
];

const rows = cases.flatMap((state) =>
  Object.entries(state.plans).map(([action, plan]) => ({ state, action: action as RolloutActionName, plan })),
);

describe("planAction", () => {
  it.each(rows)("$state.name: $action is $plan", ({ state, action, plan }) => {
    const planned = planAction({ action, rollout: rolloutAt(state), now });
    const text =
      planned.kind === "refused"
        ? `refused ${planned.reasonCode}`
        : planned.patches
            .map(({ subresource, body }) => `${subresource || "main"} ${JSON.stringify(body.status ?? body.spec)}`)
            .join(" + ");
    expect(text).toBe(plan);
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

  it.each([
    { at: "2026-11-20T13:00:00+00:00", planned: { spec: { restartAt: "2026-11-20T13:00:00Z" } } },
    { at: "2026-11-20T13:00:00+01:00", planned: { spec: { restartAt: "2026-11-20T12:00:00Z" } } },
    { at: "2026-11-20T11:57:00Z", planned: { spec: { restartAt: "2026-11-20T11:57:00Z" } } },
    { at: "2026-11-20T11:50:00Z", planned: "bad_time" },
    { at: "tomorrow", planned: "bad_time" },
  ])("restarts what was created before $at", ({ at, planned }) => {
    const rollout = rolloutFrom({ spec: { strategy: { canary: {} } } });
    const plan = planAction({ action: "restart", rollout, now, params: { at } });
    expect(plan.kind === "refused" ? plan.reasonCode : plan.patches[0]?.body).toEqual(planned);
  });

  it("refuses a second restart of the same second", () => {
    const rollout = rolloutFrom({ spec: { restartAt: "2026-11-20T12:00:00Z", strategy: { canary: {} } } });
    expect(planAction({ action: "restart", rollout, now })).toMatchObject({ reasonCode: "restart_pending" });
    const earlier = rolloutFrom({ spec: { restartAt: "2026-11-20T11:59:59Z", strategy: { canary: {} } } });
    expect(planAction({ action: "restart", rollout: earlier, now })).toMatchObject({ kind: "patches" });
  });

  it.each([
    [
      { annotations: { "argocd.argoproj.io/tracking-id": "shop:argoproj.io/Rollout:payments/checkout" } },
      "Argo CD (application shop)",
    ],
    [{ labels: { "argocd.argoproj.io/instance": "shop" } }, "Argo CD (application shop)"],
    [{ labels: { "kustomize.toolkit.fluxcd.io/name": "apps" } }, "Flux (Kustomization apps)"],
    [{ labels: { "helm.toolkit.fluxcd.io/name": "shop" } }, "Flux (HelmRelease shop)"],
    [{ labels: { "app.kubernetes.io/instance": "shop" } }, undefined],
  ])("warns that %j sets a changed spec back", (metadata, owner) => {
    const rollout = rolloutFrom({ metadata, spec: { strategy: { canary: {} } } });
    const plan = planAction({ action: "pause", rollout, now });
    expect(plan).toMatchObject({ warnings: owner === undefined ? [] : [expect.stringContaining(owner)] });
    // A repository does not contain a status.
    const abort = rolloutFrom({
      metadata,
      spec: { strategy: { canary: {} } },
      status: { currentPodHash: "new", stableRS: "old" },
    });
    expect(planAction({ action: "abort", rollout: abort, now })).toMatchObject({ warnings: [] });
  });
});

describe("against upstream's promote", () => {
  type PromoteCase = {
    id: string;
    rollout: Json | null;
    flags: string[];
    expect: { patches?: Json[]; error?: string };
  };
  const actionOf: Record<string, RolloutActionName> = {
    "skip-current-step": "skip-step",
    "skip-all-steps": "skip-all",
    full: "promote-full",
  };
  const flagged = loadCases<PromoteCase>("argo-promote-patch").filter(
    ({ flags, rollout }) => flags.length === 1 && rollout,
  );

  it.each(flagged)(
    "$id: the same patches, or a refusal where it sends none",
    ({ rollout, flags, expect: expected }) => {
      const action = actionOf[flags[0] ?? ""];
      if (action === undefined) throw new Error(`no action for ${flags}`);
      const [strategy] = Object.values((rollout as { spec: { strategy: Json } }).spec.strategy);
      // Upstream's case for --full has no strategy, which no cluster accepts.
      const given = strategy === undefined ? { ...rollout, spec: { strategy: { canary: {} } } } : rollout;
      const plan = planAction({ action, rollout: rolloutFrom(given ?? {}), now });
      if (expected.patches === undefined || expected.patches.length === 0) expect(plan.kind).toBe("refused");
      else expect(plan).toMatchObject({ patches: expected.patches });
    },
  );

  it("has cases for each of the three", () => {
    expect(new Set(flagged.flatMap(({ flags }) => flags)).size).toBe(3);
  });
});
