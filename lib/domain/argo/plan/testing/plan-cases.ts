import { blueGreenCases } from "#lib/domain/argo/plan/testing/plan-cases-blue-green.ts";
import { heldGateCases } from "#lib/domain/argo/plan/testing/plan-cases-held-gate.ts";
import {
  argoCd,
  background,
  endsWarning,
  type PlanCase,
  pause,
  revertWarning,
  stepRun,
} from "#lib/domain/argo/plan/testing/plan-samples.ts";

const clear = 'status {"pauseConditions":null}';
const unpause = 'main {"paused":false}';
const accept = (index: number) => `status {"pauseConditions":null,"controllerPause":false,"currentStepIndex":${index}}`;

/** The result of continuing, abort and retry in each state. */
export const goingOnCases: PlanCase[] = [
  ...blueGreenCases,
  ...heldGateCases,
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
    metadata: argoCd,
    plans: { continue: `${unpause} + ${clear}`, abort: 'status {"abort":true}' },
    says: {
      continue: {
        effect:
          "Clears the pause: the rollout continues at step 3 of 6 (analysis). Also clears the pause in spec.paused. Then 60 % → wait 10 min → a step of an unknown kind → 100 %, no further analysis.",
        warnings: [revertWarning],
      },
      abort: { warnings: [] },
    },
  },
  {
    name: "canary at a pause step, background run running",
    status: { ...pause("CanaryPauseStep"), currentStepIndex: 1, canary: background("Running") },
    plans: { continue: clear, "continue-waive": "refused not_inconclusive", abort: 'status {"abort":true}' },
    says: { continue: { warnings: [] }, abort: { warnings: [endsWarning("run bg-1")] } },
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
    // Lifting spec.paused first would let the controller pass the pause of the next step before the status arrives.
    plans: { "continue-waive": `${clear} + ${unpause}` },
    metadata: argoCd,
    says: { "continue-waive": { waives: "the Inconclusive result of run bg-1", warnings: [revertWarning] } },
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
    says: {
      "accept-step": {
        effect:
          "Accepts the Inconclusive result of step-1: the rollout continues at step 4 of 6 (60 % traffic). Then wait 10 min → a step of an unknown kind → 100 %, no further analysis.",
        waives: "the Inconclusive result of run step-1",
        warnings: [],
      },
      // It has already ended.
      abort: { warnings: [] },
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
    metadata: argoCd,
    plans: { "accept-step": `${unpause} + ${accept(3)}`, "measure-again": `${unpause} + ${clear}` },
    says: { "accept-step": { warnings: [revertWarning] }, "measure-again": { warnings: [revertWarning] } },
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
    says: {
      "accept-step": {
        effect:
          "Accepts the Inconclusive result of step-1 only: the rollout moves to step 4 of 6 (60 % traffic) and pauses again at once for background run bg-1, also Inconclusive.",
        waives: "the Inconclusive result of run step-1",
      },
      "measure-again": {
        effect:
          "Starts a new analysis run in place of step-1 and bg-1; the rollout stays at step 3 of 6 until it has a verdict.",
      },
    },
  },
  {
    // The controller promotes before it pauses if the new version has its replicas (rollout/canary.go).
    name: "inline and background analysis Inconclusive at the last step",
    steps: [{ setWeight: 20 }, { analysis: {} }],
    status: {
      ...pause("InconclusiveAnalysisRun"),
      currentStepIndex: 1,
      canary: { ...stepRun("Inconclusive"), ...background("Inconclusive") },
    },
    plans: { "accept-step": accept(2) },
    says: {
      "accept-step": {
        effect:
          "Accepts the Inconclusive result of step-1: the rollout continues to full promotion. If the new version lacks pods, it pauses again for background run bg-1, also Inconclusive.",
        waives:
          "the Inconclusive result of run step-1, and the Inconclusive result of run bg-1 if the rollout is promoted at once",
      },
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
    says: { abort: { warnings: [endsWarning("run step-1")] } },
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
      abort: 'status {"abort":true}',
    },
    says: { abort: { warnings: [endsWarning("experiment e-1")] } },
  },
  {
    name: "setWeight step running",
    status: { currentStepIndex: 3 },
    plans: {
      continue: "refused not_paused",
      "accept-step": "refused not_paused",
      "measure-again": "refused not_paused",
      "continue-waive": "refused not_paused",
      abort: 'status {"abort":true}',
    },
    says: { abort: { warnings: [] } },
  },
  {
    name: "everything of a canary that can run, runs",
    steps: [{ experiment: {} }, { setWeight: 20 }],
    status: {
      currentStepIndex: 0,
      canary: { ...stepRun("Pending"), ...background(""), currentExperiment: "e-1" },
    },
    plans: { abort: 'status {"abort":true}' },
    says: { abort: { warnings: [endsWarning("run step-1, run bg-1 and experiment e-1")] } },
  },
  {
    name: "paused by a person only",
    paused: true,
    status: { currentStepIndex: 3 },
    plans: { continue: "refused paused_in_spec", abort: 'status {"abort":true}' },
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
