import { describe, expect, it } from "vitest";
import { type ExpectedEffect, noteAnswer, planEffect } from "#lib/domain/argo/plan/action-effect.ts";
import { assessEffect } from "#lib/domain/argo/plan/assess-effect.ts";
import {
  at,
  background,
  type Json,
  later,
  pausedAt,
  rolloutOf,
  stepRun,
  written,
} from "#lib/domain/argo/plan/testing/effect-samples.ts";

type Case = {
  name: string;
  kind: ExpectedEffect["kind"];
  before: Json;
  runs?: string[];
  now: Json;
  strategy?: Json;
  paused?: boolean;
  state: string;
  message?: string;
};

const inline = { currentStepIndex: 2, ...pausedAt(at, "InconclusiveAnalysisRun"), ...stepRun("run", "Inconclusive") };
const byPerson = { blueGreen: { activeService: "a", autoPromotionEnabled: false } };
const waiting = {
  currentStepIndex: undefined,
  ...pausedAt(at, "BlueGreenPause"),
  blueGreen: { activeSelector: "old" },
};
const experiments = {
  canary: { steps: [{ experiment: {} }, { setWeight: 20 }, { experiment: {} }, { experiment: {} }] },
};
const waived = { ...pausedAt(at), ...background("bg", "Inconclusive") };

const cases: Case[] = [
  { name: "continue, nothing done", kind: "resumed", before: pausedAt(at), now: pausedAt(at), state: "pending" },
  {
    name: "continue, only our patch",
    kind: "resumed",
    before: pausedAt(at),
    now: { controllerPause: true },
    state: "pending",
  },
  {
    name: "continue, used up while somebody held it: the step is the same",
    kind: "resumed",
    before: pausedAt(at),
    now: { controllerPause: false },
    state: "pending",
  },
  {
    name: "continue, used up, and paused again at the same step",
    kind: "resumed",
    before: pausedAt(at),
    now: pausedAt(later),
    state: "not-effective",
    message: "It is paused again at step 2 of 4 (CanaryPauseStep): the controller did not continue.",
  },
  {
    name: "continue, held by another reason at the same step",
    kind: "resumed",
    before: pausedAt(at),
    now: pausedAt(later, "InconclusiveAnalysisRun"),
    state: "pending",
  },
  {
    name: "continue of blue-green, used up before the switch",
    kind: "resumed",
    strategy: byPerson,
    before: waiting,
    now: { ...waiting, pauseConditions: undefined, controllerPause: false },
    state: "pending",
  },
  {
    name: "continue of blue-green, paused again",
    kind: "resumed",
    strategy: byPerson,
    before: waiting,
    now: { ...waiting, ...pausedAt(later, "BlueGreenPause") },
    state: "not-effective",
    message: "It is paused again (BlueGreenPause): the controller did not continue.",
  },
  {
    name: "continue of blue-green, switched",
    kind: "resumed",
    strategy: byPerson,
    before: waiting,
    now: { currentStepIndex: undefined, blueGreen: { activeSelector: "new" } },
    state: "effective",
    message: "The rollout continues.",
  },
  {
    name: "continue of blue-green with few preview pods, scaling up",
    kind: "resumed",
    strategy: byPerson,
    before: waiting,
    now: { currentStepIndex: undefined, blueGreen: { activeSelector: "old", scaleUpPreviewCheckPoint: true } },
    state: "effective",
  },
  {
    name: "measure an experiment again, only our patch: the next experiment is there already",
    kind: "measured-again",
    before: { ...pausedAt(at, "InconclusiveExperiment"), canary: { currentExperiment: "e-2" } },
    now: { controllerPause: true, canary: { currentExperiment: "e-2" } },
    state: "pending",
  },
  {
    name: "measure an experiment again, taken up",
    kind: "measured-again",
    before: { ...pausedAt(at, "InconclusiveExperiment"), canary: { currentExperiment: "e-2" } },
    now: { controllerPause: false, canary: { currentExperiment: "e-2" }, ...written },
    state: "effective",
  },
  {
    name: "continue, next step",
    kind: "resumed",
    before: pausedAt(at),
    now: { currentStepIndex: 2, ...written },
    state: "effective",
  },
  {
    name: "continue, waits at another pause",
    kind: "resumed",
    before: pausedAt(at),
    now: { currentStepIndex: 3, ...pausedAt(later), ...written },
    state: "effective",
    message: "The rollout is at step 4 of 4 and waits: CanaryPauseStep.",
  },
  {
    name: "continue, the index moved by another person's patch alone",
    kind: "resumed",
    before: pausedAt(at),
    now: { currentStepIndex: 2, controllerPause: true },
    state: "pending",
  },
  {
    name: "continue, held by a person at the next step",
    kind: "resumed",
    before: pausedAt(at),
    now: { currentStepIndex: 2, ...written },
    paused: true,
    state: "effective",
    message: "The rollout is at step 3 of 4 and waits: spec.paused.",
  },
  {
    name: "continue, aborted first",
    kind: "resumed",
    before: pausedAt(at),
    now: { abort: true },
    state: "not-effective",
  },
  { name: "continue, promoted", kind: "resumed", before: pausedAt(at), now: { stableRS: "new" }, state: "effective" },
  {
    name: "continue, new revision",
    kind: "resumed",
    before: pausedAt(at),
    now: { currentPodHash: "newer" },
    state: "not-effective",
  },
  {
    name: "accept, only our patch",
    kind: "step-passed",
    before: inline,
    runs: ["run"],
    now: { currentStepIndex: 3, ...stepRun("run", "Inconclusive") },
    state: "pending",
  },
  {
    name: "accept, taken up",
    kind: "step-passed",
    before: inline,
    runs: ["run"],
    now: { currentStepIndex: 3 },
    state: "effective",
  },
  {
    name: "accept, further on",
    kind: "step-passed",
    before: inline,
    runs: ["run"],
    now: { currentStepIndex: 4, ...pausedAt(later) },
    state: "effective",
  },
  {
    name: "accept, and paused again for the background run",
    kind: "step-passed",
    before: inline,
    runs: ["run"],
    now: { currentStepIndex: 3, ...pausedAt(later, "InconclusiveAnalysisRun"), ...background("bg", "Inconclusive") },
    state: "effective",
    message: "The rollout is at step 4 of 4 and waits: InconclusiveAnalysisRun.",
  },
  {
    name: "skip an experiment, only our patch",
    kind: "step-passed",
    strategy: experiments,
    before: { currentStepIndex: 0, canary: { currentExperiment: "e-1" } },
    now: { currentStepIndex: 1, canary: { currentExperiment: "e-1" } },
    state: "pending",
  },
  {
    name: "skip an experiment, taken up",
    kind: "step-passed",
    strategy: experiments,
    before: { currentStepIndex: 0, canary: { currentExperiment: "e-1" } },
    now: { currentStepIndex: 1 },
    state: "effective",
  },
  {
    name: "skip an experiment, the next step keeps it",
    kind: "step-passed",
    strategy: experiments,
    before: { currentStepIndex: 2, canary: { currentExperiment: "e-1" } },
    now: { currentStepIndex: 3, canary: { currentExperiment: "e-1" }, ...written },
    state: "effective",
  },
  {
    name: "skip an experiment, the next step keeps it, only our patch",
    kind: "step-passed",
    strategy: experiments,
    before: { currentStepIndex: 2, canary: { currentExperiment: "e-1" } },
    now: { currentStepIndex: 3, canary: { currentExperiment: "e-1" } },
    state: "pending",
  },
  {
    name: "skip, only our patch",
    kind: "step-passed",
    before: { currentStepIndex: 0 },
    now: { currentStepIndex: 1 },
    state: "pending",
  },
  {
    name: "skip to a pause, a write of the controller that was under way",
    kind: "step-passed",
    before: { currentStepIndex: 0 },
    now: { currentStepIndex: 1, ...written },
    state: "pending",
  },
  {
    name: "skip to a pause, paused there",
    kind: "step-passed",
    before: { currentStepIndex: 0 },
    now: { currentStepIndex: 1, ...pausedAt(at), ...written },
    state: "effective",
    message: "The rollout is at step 2 of 4 and waits: CanaryPauseStep.",
  },
  {
    name: "skip, further on",
    kind: "step-passed",
    before: { currentStepIndex: 0 },
    now: { currentStepIndex: 2, ...written },
    state: "effective",
  },
  {
    name: "skip, then skipped again by a person alone",
    kind: "step-passed",
    before: { currentStepIndex: 0 },
    now: { currentStepIndex: 2 },
    state: "pending",
  },
  {
    name: "skip to an analysis, its run is there",
    kind: "step-passed",
    before: { currentStepIndex: 1 },
    now: { currentStepIndex: 2, ...stepRun("run", "Pending") },
    state: "effective",
  },
  {
    name: "skip to an analysis, without a run",
    kind: "step-passed",
    before: { currentStepIndex: 1 },
    now: { currentStepIndex: 2, ...written },
    state: "pending",
  },
  {
    name: "skip to an analysis that a person holds",
    kind: "step-passed",
    before: { currentStepIndex: 1 },
    now: { currentStepIndex: 2, ...written },
    paused: true,
    state: "effective",
    message: "The rollout is at step 3 of 4 and waits: spec.paused.",
  },
  {
    name: "skip to an experiment, which is there",
    kind: "step-passed",
    strategy: experiments,
    before: { currentStepIndex: 1 },
    now: { currentStepIndex: 2, canary: { currentExperiment: "e-2" } },
    state: "effective",
  },
  {
    name: "skip to a weight, only our patch",
    kind: "step-passed",
    strategy: experiments,
    before: { currentStepIndex: 0 },
    now: { currentStepIndex: 1 },
    state: "pending",
  },
  {
    name: "skip to a weight, pods are counted",
    kind: "step-passed",
    strategy: experiments,
    before: { currentStepIndex: 0 },
    now: { currentStepIndex: 1, updatedReplicas: 1 },
    state: "effective",
  },
  {
    name: "skip a running analysis, only our patch",
    kind: "step-passed",
    before: { currentStepIndex: 2, ...stepRun("run", "Running") },
    runs: ["run"],
    now: { currentStepIndex: 3, ...stepRun("run", "Running"), ...written },
    state: "pending",
  },
  {
    name: "measure again, only our patch",
    kind: "measured-again",
    before: inline,
    runs: ["run"],
    now: { currentStepIndex: 2, controllerPause: true, ...stepRun("run", "Inconclusive") },
    state: "pending",
  },
  {
    name: "measure again, new run",
    kind: "measured-again",
    before: inline,
    runs: ["run"],
    now: { currentStepIndex: 2, ...stepRun("run.1", "Running") },
    state: "effective",
  },
  {
    name: "waive, only our patch",
    kind: "resumed",
    before: waived,
    runs: ["bg"],
    now: { controllerPause: true, ...background("bg", "Inconclusive") },
    state: "pending",
  },
  {
    name: "waive, new run",
    kind: "resumed",
    before: waived,
    runs: ["bg"],
    now: { currentStepIndex: 2, ...background("bg.1", "Running") },
    state: "effective",
  },
  {
    name: "waive, new run, and the pause step set anew",
    kind: "resumed",
    before: waived,
    runs: ["bg"],
    now: { ...pausedAt(later), ...background("bg.1", "Running") },
    state: "not-effective",
    message: "It is paused again at step 2 of 4 (CanaryPauseStep): the controller did not continue.",
  },
  {
    name: "waive between steps, the same run again",
    kind: "resumed",
    before: { ...pausedAt(at, "InconclusiveAnalysisRun"), ...background("bg", "Inconclusive") },
    runs: ["bg"],
    now: { ...pausedAt(later, "InconclusiveAnalysisRun"), ...background("bg", "Inconclusive") },
    state: "not-effective",
    message: "It is paused again at step 2 of 4 (InconclusiveAnalysisRun): the controller did not continue.",
  },
  {
    name: "waive between steps, a new run Inconclusive too",
    kind: "resumed",
    before: { ...pausedAt(at, "InconclusiveAnalysisRun"), ...background("bg", "Inconclusive") },
    runs: ["bg"],
    now: { ...pausedAt(later, "InconclusiveAnalysisRun"), ...background("bg.1", "Inconclusive") },
    state: "effective",
    message: "The rollout is at step 2 of 4 and waits: InconclusiveAnalysisRun.",
  },
];

describe("the effect of going on", () => {
  it.each(cases)("$name: $state", ({ kind, before, runs, now, strategy, paused, state, message }) => {
    const expected = planEffect({ rollout: rolloutOf(before, { strategy }), kind, runs });
    const assessed = assessEffect({ expected, rollout: rolloutOf(now, { strategy, paused }) });
    expect(assessed).toMatchObject({ state, ...(message === undefined ? {} : { message }) });
  });

  it("a pause that our own patch set is no sign of the controller", () => {
    const before = rolloutOf({ currentStepIndex: 0 });
    const held = { currentStepIndex: 1, ...pausedAt(later) };
    const expected = noteAnswer({
      expected: planEffect({ rollout: before, kind: "step-passed" }),
      rollout: rolloutOf(held),
    });
    expect(assessEffect({ expected, rollout: rolloutOf({ ...held, ...written }) }).state).toBe("pending");
    const further = rolloutOf({ ...held, currentStepIndex: 2, pauseConditions: undefined, ...written });
    expect(assessEffect({ expected, rollout: further }).state).toBe("effective");
  });
});
