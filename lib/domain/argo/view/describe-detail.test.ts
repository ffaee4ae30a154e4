import { describe, expect, it } from "vitest";
import { background, type PlanState, pause, rolloutAt, stepRun } from "#lib/domain/argo/plan/testing/plan-samples.ts";
import { describeFollows } from "#lib/domain/argo/view/describe-detail.ts";

const analysis = (...names: string[]) => ({ templates: names.map((templateName) => ({ templateName })) });
const plan = [
  { setWeight: 25 },
  { pause: {} },
  { analysis: analysis("success-rate") },
  { setWeight: 70 },
  { pause: { duration: "10s" } },
];

type Case = PlanState & { step?: number; follows: string | null };

const cases: Case[] = [
  {
    name: "an analysis, the issue's example",
    steps: plan,
    status: { currentStepIndex: 2, canary: stepRun("Inconclusive") },
    follows: "Then 70 % → wait 10 s → 100 %, no further analysis.",
  },
  {
    name: "the first step",
    steps: plan,
    status: { currentStepIndex: 0 },
    follows: "Then wait for a person → analysis success-rate → 70 % → wait 10 s → 100 %.",
  },
  {
    name: "another step than the current one",
    steps: plan,
    status: { currentStepIndex: 0 },
    step: 3,
    follows: "Then wait 10 s → 100 %, no further analysis.",
  },
  { name: "the last step", steps: plan, status: { currentStepIndex: 4 }, follows: "Then 100 %, no further analysis." },
  {
    name: "all steps behind",
    steps: plan,
    status: { currentStepIndex: 5 },
    follows: "Then 100 %, no further analysis.",
  },
  {
    name: "a last weight of 100",
    steps: [{ setWeight: 50 }, { setWeight: 100 }],
    status: { currentStepIndex: 0 },
    follows: "Then 100 % → full promotion, no further analysis.",
  },
  { name: "no steps", steps: null, follows: "Then full promotion, no further analysis." },
  {
    name: "background analysis that measures",
    steps: plan,
    status: { currentStepIndex: 3, canary: background("Running") },
    follows: "Then wait 10 s → 100 %, background analysis continues.",
  },
  {
    name: "background analysis that ended",
    steps: plan,
    status: { currentStepIndex: 3, canary: background("Successful") },
    canary: { analysis: analysis("slo") },
    follows: "Then wait 10 s → 100 %, no further analysis.",
  },
  {
    name: "background analysis that is Inconclusive: the controller starts a new run once it goes on",
    steps: plan,
    status: { currentStepIndex: 3, canary: background("Inconclusive") },
    canary: { analysis: analysis("slo") },
    follows: "Then wait 10 s → 100 %, with a new background run.",
  },
  {
    name: "background analysis from a later step on",
    steps: plan,
    canary: { analysis: { ...analysis("slo"), startingStep: 4 } },
    status: { currentStepIndex: 2 },
    follows: "Then 70 % → wait 10 s → 100 %, background analysis from step 5.",
  },
  {
    name: "background analysis from the step on that an action leads to",
    steps: plan,
    canary: { analysis: { ...analysis("slo"), startingStep: 3 } },
    status: { currentStepIndex: 2 },
    step: 3,
    follows: "Then wait 10 s → 100 %, background analysis from step 4.",
  },
  {
    name: "pauses of every spelling",
    steps: [
      { setWeight: 5 },
      { pause: { duration: 90 } },
      { pause: { duration: "3600" } },
      { pause: { duration: "1h30m" } },
      { pause: { duration: "soon" } },
    ],
    status: { currentStepIndex: 0 },
    follows: "Then wait 1 min 30 s → wait 1 h → wait 1 h 30 min → wait soon → 100 %, no further analysis.",
  },
  {
    name: "weights of another maximum",
    steps: [{ setWeight: 100 }, { setWeight: 255 }, { setWeight: 1000 }],
    canary: { trafficRouting: { maxTrafficWeight: 1000 } },
    status: { currentStepIndex: 0 },
    follows: "Then 25.5 % → 100 % → full promotion, no further analysis.",
  },
  {
    name: "experiments, scales, routes and plugins",
    steps: [
      { setWeight: 5 },
      { experiment: {} },
      { setCanaryScale: { weight: 30 } },
      { setCanaryScale: { replicas: 1 } },
      { setCanaryScale: { matchTrafficWeight: true } },
      { setHeaderRoute: { name: "beta" } },
      { plugin: { name: "acme/step" } },
    ],
    status: { currentStepIndex: 0 },
    follows:
      "Then experiment → canary pods at 30 % → 1 canary pod → canary pods follow the traffic → header route beta → plugin acme/step → 100 %.",
  },
  {
    name: "more steps than a sentence takes: gates and analyses are counted",
    steps: [...plan, ...plan, ...plan],
    status: { currentStepIndex: 0 },
    follows:
      "Then wait for a person → analysis success-rate → 70 % → wait 10 s → 25 % → wait for a person → 8 more steps (1 gate, 2 analyses) → 100 %.",
  },
  {
    name: "full promotion asked for",
    steps: plan,
    status: { currentStepIndex: 1, promoteFull: true },
    follows: "Then full promotion; remaining steps and analysis are skipped.",
  },
  { name: "aborted", steps: plan, status: { currentStepIndex: 0, abort: true }, follows: null },
  { name: "fully promoted", steps: plan, status: { currentPodHash: "same", stableRS: "same" }, follows: null },
  {
    name: "a spec that the controller refuses",
    steps: plan,
    status: { conditions: [{ type: "InvalidSpec", status: "True", reason: "InvalidSpec", message: "no" }] },
    follows: null,
  },
  {
    name: "blue-green, all of it to come",
    blueGreen: {
      autoPromotionEnabled: false,
      prePromotionAnalysis: analysis("smoke"),
      postPromotionAnalysis: analysis("slo", "errors"),
      scaleDownDelaySeconds: 600,
    },
    follows:
      "Then analysis smoke → wait for a person → traffic switches to the new version → analysis slo and errors → old version scaled down after 10 min.",
  },
  {
    name: "blue-green at its gate",
    blueGreen: { autoPromotionEnabled: false },
    status: pause("BlueGreenPause"),
    follows: "Then traffic switches to the new version → old version scaled down after 30 s, no further analysis.",
  },
  {
    name: "blue-green, timed",
    blueGreen: { autoPromotionSeconds: 300 },
    follows:
      "Then wait 5 min → traffic switches to the new version → old version scaled down after 30 s, no further analysis.",
  },
  {
    name: "blue-green after the switch",
    blueGreen: { postPromotionAnalysis: analysis("slo") },
    status: {
      blueGreen: { activeSelector: "new", postPromotionAnalysisRunStatus: { name: "post", status: "Running" } },
    },
    follows: "Then old version scaled down after 30 s, no further analysis.",
  },
];

describe("what follows", () => {
  it.each(cases)("$name", ({ step, follows, ...state }) => {
    const found = describeFollows({
      rollout: rolloutAt(state),
      ...(step === undefined ? {} : { step }),
    });
    expect(found?.text ?? null).toBe(follows);
  });

  it("numbers its parts from 1 and ends with the promotion", () => {
    const parts = describeFollows({
      rollout: rolloutAt({ name: "", steps: plan, status: { currentStepIndex: 2 } }),
    })?.parts;
    expect(parts).toEqual([
      { kind: "weight", text: "70 %", step: 4 },
      { kind: "pause", text: "wait 10 s", step: 5 },
      { kind: "promotion", text: "100 %", step: null },
    ]);
  });
});
