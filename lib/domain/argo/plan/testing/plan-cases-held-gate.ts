import {
  background,
  type Json,
  type PlanCase,
  passedWarning,
  pause,
  stepRun,
} from "#lib/domain/argo/plan/testing/plan-samples.ts";

const clear = 'status {"pauseConditions":null}';
const unpause = 'main {"paused":false}';
/** The planner's now is 12:00:00.5. */
const hold = (index: number) =>
  `status {"pauseConditions":[{"reason":"CanaryPauseStep","startTime":"2026-11-20T12:00:00Z"}],"controllerPause":true,"currentStepIndex":${index},"canary":{"currentStepAnalysisRunStatus":null}}`;
const move = (index: number) => `status {"pauseConditions":null,"controllerPause":false,"currentStepIndex":${index}}`;

const gate = { pause: {} };
const timed = { pause: { duration: "10s" } };
const end = [{ setWeight: 80 }, gate];
/**
 * Builds a rollout at an Inconclusive analysis, the second step, followed by `next`; the background run has the given
 * phase.
 */
function atAnalysis(next: Json[], backgroundPhase?: string): Pick<PlanCase, "steps" | "status" | "replicas"> {
  return {
    replicas: 4,
    steps: [{ setWeight: 20 }, { analysis: {} }, ...next],
    status: {
      ...pause("InconclusiveAnalysisRun"),
      currentStepIndex: 1,
      canary: { ...stepRun("Inconclusive"), ...(backgroundPhase === undefined ? {} : background(backgroundPhase)) },
    },
  };
}

/** Between steps, or at an unannounced pause: only the background run is Inconclusive. */
const alone = (step: number): Json => ({
  ...pause("InconclusiveAnalysisRun"),
  currentStepIndex: step,
  canary: background("Inconclusive"),
});

const both = "Accepts the Inconclusive result of step-1 only: the rollout";

/** Actions that pass an Inconclusive result meet the next pause: what is sent, and what is said (ADR 4). */
export const heldGateCases: PlanCase[] = [
  {
    name: "step run alone, a gate next",
    ...atAnalysis([gate, ...end]),
    plans: { "accept-step": hold(2) },
    says: {
      "accept-step": {
        effect:
          "Accepts the Inconclusive result of step-1: the rollout continues at step 3 of 5 (a pause until someone continues).",
        warnings: [
          "new goes to 80 % when someone continues, then to 100 % when someone continues. No analysis checks it again.",
        ],
        passesPauses: [],
      },
    },
  },
  {
    name: "step run alone, background run measuring, a timed pause next",
    ...atAnalysis([timed, ...end], "Running"),
    plans: { "accept-step": hold(2) },
    says: {
      "accept-step": {
        effect:
          "Accepts the Inconclusive result of step-1: the rollout continues at step 3 of 5 (wait 10 s). Then 80 % → wait for a person → 100 %, background analysis continues.",
      },
    },
  },
  {
    name: "both, a gate next",
    ...atAnalysis([gate, ...end], "Inconclusive"),
    plans: { "accept-step": hold(2) },
    says: {
      "accept-step": {
        effect: `${both} waits at step 3 of 5 (a pause until someone continues). Background run bg-1, also Inconclusive, still needs a decision.`,
        waives: "the Inconclusive result of run step-1",
        warnings: [],
        passesPauses: [],
      },
    },
  },
  {
    name: "both, a gate next, paused by a person as well",
    ...atAnalysis([gate, ...end], "Inconclusive"),
    paused: true,
    plans: { "accept-step": `${unpause} + ${hold(2)}` },
  },
  {
    name: "both, a timed pause next, then a weight",
    ...atAnalysis([timed, ...end], "Inconclusive"),
    plans: { "accept-step": hold(2) },
    says: {
      "accept-step": {
        effect: `${both} waits at step 3 of 5 (wait 10 s), then stops for background run bg-1, also Inconclusive.`,
        passesPauses: [],
      },
    },
  },
  {
    name: "both, a timed pause next, then a gate: passed once the time is over",
    ...atAnalysis([timed, gate, ...end], "Inconclusive"),
    plans: { "accept-step": hold(2) },
    says: {
      "accept-step": { warnings: [passedWarning("step 4 of 6 (a pause until someone continues)")], passesPauses: [3] },
    },
  },
  {
    name: "both, a weight next that needs pods, then a gate: stopped before it",
    ...atAnalysis([{ setWeight: 60 }, gate], "Inconclusive"),
    plans: { "accept-step": move(2) },
    says: { "accept-step": { warnings: [], passesPauses: [] } },
  },
  {
    name: "both, a weight next that needs no pod more, then two pauses: both passed",
    ...atAnalysis([{ setWeight: 25 }, gate, timed, ...end], "Inconclusive"),
    plans: { "accept-step": move(2) },
    says: {
      "accept-step": {
        warnings: [passedWarning("step 4 of 7 (a pause until someone continues) and step 5 of 7 (wait 10 s)")],
        passesPauses: [3, 4],
      },
    },
  },
  {
    name: "both, pods of the canary's own scale: no weight stops it",
    ...atAnalysis([{ setCanaryScale: { replicas: 3 } }, { setWeight: 60 }, gate], "Inconclusive"),
    canary: { trafficRouting: {} },
    plans: { "accept-step": move(2) },
    says: { "accept-step": { passesPauses: [4] } },
  },
  {
    name: "both, an experiment next, which begins before the pause, then a gate",
    ...atAnalysis([{ experiment: {} }, gate, ...end], "Inconclusive"),
    plans: { "accept-step": move(2) },
    says: { "accept-step": { passesPauses: [3] } },
  },
  {
    name: "both, an analysis next, which does not begin",
    ...atAnalysis([{ analysis: {} }, gate, ...end], "Inconclusive"),
    plans: { "accept-step": move(2) },
    says: { "accept-step": { passesPauses: [] } },
  },
  {
    name: "both, a route next, then an experiment, which does not begin",
    ...atAnalysis([{ setHeaderRoute: { name: "beta" } }, { experiment: {} }, gate], "Inconclusive"),
    plans: { "accept-step": move(2) },
    says: { "accept-step": { passesPauses: [] } },
  },
  {
    name: "step run left behind at the gate, as an older Gatehouse or kubectl left it",
    steps: [{ setWeight: 20 }, { analysis: {} }, gate, ...end],
    status: { ...pause("CanaryPauseStep"), currentStepIndex: 2, canary: stepRun("Inconclusive") },
    plans: { continue: clear, "accept-step": "refused not_inconclusive" },
  },
  {
    name: "background run alone, between steps",
    replicas: 4,
    steps: [{ setWeight: 20 }, gate, ...end],
    status: alone(0),
    plans: { "continue-waive": clear },
    says: {
      "continue-waive": {
        effect:
          "Overrides the Inconclusive result of background run bg-1 and clears the pause: the rollout continues at step 1 of 4 (20 % traffic). Then wait for a person → 80 % → wait for a person → 100 %, with a new background run.",
        waives: "the Inconclusive result of run bg-1",
        passesPauses: [],
      },
    },
  },
  {
    name: "background run alone, at a gate that was not announced: the controller passes it either way",
    replicas: 4,
    steps: [{ setWeight: 20 }, gate, ...end],
    status: alone(1),
    plans: { "continue-waive": clear },
    says: {
      "continue-waive": {
        warnings: [passedWarning("step 2 of 4 (a pause until someone continues)")],
        passesPauses: [1],
      },
    },
  },
  {
    name: "background run alone, at a gate that was not announced, paused by a person: the gate is announced then",
    replicas: 4,
    steps: [{ setWeight: 20 }, gate, ...end],
    status: alone(1),
    paused: true,
    plans: { "continue-waive": `${clear} + ${unpause}`, unpause },
    says: {
      "continue-waive": {
        effect:
          "Overrides the Inconclusive result of background run bg-1 and clears the pause: the rollout waits at step 2 of 4 (a pause until someone continues). Also clears the pause in spec.paused. Then 80 % → wait for a person → 100 %, with a new background run.",
        warnings: [],
        passesPauses: [],
      },
      unpause: { warnings: [passedWarning("step 2 of 4 (a pause until someone continues)")], passesPauses: [1] },
    },
  },
  {
    name: "background run alone, a weight done, a gate next, paused by a person: unpausing alone passes it",
    replicas: 4,
    steps: [{ setWeight: 20 }, gate, ...end],
    status: alone(0),
    paused: true,
    plans: { "continue-waive": `${clear} + ${unpause}`, unpause },
    says: {
      "continue-waive": { passesPauses: [] },
      unpause: { passesPauses: [1] },
    },
  },
  {
    name: "both, paused by a person: unpausing alone changes nothing of the step",
    ...atAnalysis([gate, ...end], "Inconclusive"),
    paused: true,
    plans: { unpause },
    says: { unpause: { passesPauses: [], warnings: [] } },
  },
  {
    name: "experiment Inconclusive, a gate next",
    steps: [{ experiment: {} }, gate],
    status: { ...pause("InconclusiveExperiment"), currentStepIndex: 0, canary: { currentExperiment: "e-1" } },
    plans: { "skip-step": hold(1) },
  },
  {
    name: "analysis running, background run measuring, a gate next",
    steps: [{ analysis: {} }, gate],
    status: { currentStepIndex: 0, canary: { ...stepRun("Running"), ...background("Running") } },
    plans: { "skip-step": hold(1) },
  },
  {
    name: "a resume not acted on yet, a gate next",
    steps: [{ setWeight: 20 }, gate, gate],
    status: { currentStepIndex: 1, controllerPause: true },
    plans: { "skip-step": hold(2) },
  },
  {
    name: "a weight running, no background run, a gate next",
    steps: [{ setWeight: 20 }, gate],
    status: { currentStepIndex: 0 },
    plans: { "skip-step": 'status {"currentStepIndex":1}' },
  },
];
