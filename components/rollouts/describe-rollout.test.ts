import { describe, expect, it } from "vitest";
import {
  describeAbortPoint,
  describePauses,
  describePhase,
  describeSteps,
  describeWorkload,
  listOtherPauses,
  placeSteps,
} from "#components/rollouts/describe-rollout.ts";
import type { Attention, RolloutDetail, RolloutStep } from "#lib/contract/rollout.ts";

const detail = (more: Partial<RolloutDetail>): RolloutDetail =>
  ({
    phase: "Healthy",
    message: "",
    presence: "live",
    promoteFull: false,
    pauseConditions: [],
    ...more,
  }) as RolloutDetail;

describe("describePhase", () => {
  it.each([
    { more: {}, text: "Healthy: the stable version serves all traffic." },
    {
      more: { phase: "Paused" as const, message: "manually paused" },
      text: "Paused: manually paused.",
    },
    {
      more: {
        phase: "Paused" as const,
        message: "CanaryPauseStep",
        pauseConditions: [{ reason: "CanaryPauseStep", startTime: null }],
      },
      text: "Paused.",
    },
    {
      more: { phase: "Degraded" as const, message: "RolloutAborted: it failed." },
      text: "Degraded: RolloutAborted: it failed.",
    },
    {
      more: {
        phase: "Degraded" as const,
        message:
          'RolloutAborted: Rollout aborted update to revision 2: Step-based analysis phase error/failed: Metric "errors" assessed Failed due to failed (2) > failureLimit (1)',
      },
      text: "Aborted by the controller: errors failed 2 times (1 allowed).",
    },
    {
      more: { phase: "Degraded" as const, message: "RolloutAborted: Rollout aborted update to revision 2" },
      text: "Aborted on request.",
    },
    {
      more: { presence: "deleted" as const },
      text: "The cluster has deleted this rollout. Its recorded history is kept here.",
    },
    {
      more: { promoteFull: true },
      text: "Healthy: the stable version serves all traffic. Full promotion requested.",
    },
  ])("says: $text", ({ more, text }) => {
    expect(describePhase(detail(more))).toBe(text);
  });
});

describe("describePauses", () => {
  it("names every condition, and a person's own pause", () => {
    const startTime = "2026-11-20T12:00:00Z";
    const pauseConditions = [
      { reason: "CanaryPauseStep", startTime },
      { reason: "InconclusiveAnalysisRun", startTime: null },
      { reason: "SomethingNew", startTime },
    ];
    expect(describePauses({ pauseConditions, paused: true })).toEqual([
      { words: "At a pause step", reason: "CanaryPauseStep", since: startTime },
      { words: "Analysis ended Inconclusive", reason: "InconclusiveAnalysisRun", since: null },
      { words: "SomethingNew", reason: "SomethingNew", since: startTime },
      { words: "Paused manually (spec.paused)", reason: "spec.paused", since: null },
    ]);
  });
});

describe("listOtherPauses", () => {
  it("leaves out the pause that the sentence is about", () => {
    const reasonsOf = (reason: Attention["reason"], ...pauses: string[]) =>
      listOtherPauses({
        pauseConditions: pauses.map((each) => ({ reason: each, startTime: null })),
        paused: false,
        steps: [],
        attention: { reason, severity: "info", since: "2026-11-20T12:00:00Z" },
      }).map((line) => line.reason);
    expect(reasonsOf("inconclusive", "CanaryPauseStep", "InconclusiveAnalysisRun")).toEqual(["CanaryPauseStep"]);
    expect(reasonsOf("pause", "CanaryPauseStep")).toEqual([]);
  });
});

it.each([
  { endsAt: null, words: "At a manual pause (step 4)" },
  { endsAt: "2026-11-20T12:05:00Z", words: "At a timed pause (step 4)" },
])("names another pause with its step: $words", ({ endsAt, words }) => {
  const step = {
    ...{ index: 3, kind: "pause" as const, text: "pause", state: "current" as const },
    pluginStatuses: [],
  };
  const pauses = listOtherPauses({
    pauseConditions: [
      { reason: "CanaryPauseStep", startTime: null },
      { reason: "InconclusiveAnalysisRun", startTime: null },
    ],
    ...{ paused: false, steps: [{ ...step, endsAt }] },
    attention: { reason: "inconclusive", severity: "info", since: "2026-11-20T12:00:00Z" },
  });
  expect(pauses.map((line) => line.words)).toEqual([words]);
});

describe("describeWorkload", () => {
  const recorded = {
    images: ["registry.internal/logistics/tracking:v3"],
    desired: 0,
    replicas: 0,
    ready: 0,
    available: 0,
    presence: "live" as const,
  };
  it.each([
    { recorded, words: "Deployment t (v3): no pods running" },
    {
      recorded: { ...recorded, desired: 4, replicas: 4, ready: 3 },
      words: "Deployment t (v3): 3 of 4 pods running",
    },
    { recorded: { ...recorded, presence: "deleted" as const }, words: "Deployment t, deleted from the cluster" },
    { recorded: null, words: "Deployment t, not recorded" },
  ])("$words", ({ recorded, words }) => {
    expect(describeWorkload({ kind: "Deployment", name: "t", recorded })).toBe(words);
  });
});

describe("placeSteps", () => {
  const steps: RolloutStep[] = (["setWeight: 25", "pause: 10s", "analysis", "setWeight: 70"] as const).map(
    (text, index) => ({
      index,
      kind: "setWeight",
      text,
      // The controller's status after an abort.
      state: index === 0 ? "current" : "pending",
      endsAt: null,
      pluginStatuses: [],
    }),
  );
  const rollout = { steps, step: 0, stepCount: 4, aborted: true, abortPoint: { step: 2, weight: 25 } };

  describe("the step bar", () => {
    it.each([
      {
        name: "under way",
        rollout: { ...rollout, aborted: false, abortPoint: null },
        bar: "current pending pending pending",
        words: "Steps: 0 of 4 done",
      },
      {
        name: "aborted at the third",
        rollout,
        bar: "done done aborted pending",
        words: "Steps: aborted at step 3 of 4",
      },
      {
        name: "aborted, nobody saw where",
        rollout: { ...rollout, abortPoint: { step: null, weight: null } },
        bar: "pending pending pending pending",
        words: "Steps: aborted at an unknown step",
      },
      {
        name: "aborted behind the last step",
        rollout: { ...rollout, abortPoint: { step: 4, weight: 100 } },
        bar: "done done done done",
        words: "Steps: aborted at step 4 of 4",
      },
    ])("$name", ({ rollout, bar, words }) => {
      expect(
        placeSteps(rollout)
          .map(({ state }) => state)
          .join(" "),
      ).toBe(bar);
      expect(describeSteps(rollout)).toBe(words);
    });
  });

  const weight = { set: 0, actual: 0 };

  it.each([
    {
      abortPoint: { step: 2, weight: 25 },
      weight,
      words: "Aborted at step 3 of 4 (analysis), with traffic set to 25 %. The new version now gets 0 %.",
    },
    {
      abortPoint: { step: 2, weight: 25 },
      weight,
      stable: "v1",
      words: "Aborted at step 3 of 4 (analysis), with traffic set to 25 %. v1 serves all traffic.",
    },
    {
      abortPoint: { step: 4, weight: 100 },
      weight: { set: 0, actual: 30 },
      stable: "v1",
      words: "Aborted with traffic set to 100 %. The new version now gets 30 %.",
    },
    {
      abortPoint: { step: 2, weight: 25 },
      weight: { set: 0, actual: 30 },
      words: "Aborted at step 3 of 4 (analysis), with traffic set to 25 %. The new version now gets 30 %.",
    },
    {
      abortPoint: { step: 2, weight: 25 },
      weight: { set: 0, actual: null },
      words: "Aborted at step 3 of 4 (analysis), with traffic set to 25 %.",
    },
    { abortPoint: { step: 2, weight: null }, weight, words: "Aborted at step 3 of 4 (analysis)." },
    {
      abortPoint: { step: 4, weight: 100 },
      weight: null,
      words: "Aborted with traffic set to 100 %.",
    },
    { abortPoint: { step: null, weight: null }, weight, words: undefined },
    { abortPoint: null, weight, words: undefined },
  ])("$words", ({ words, abortPoint, weight: now, stable }) => {
    expect(describeAbortPoint({ steps, abortPoint, weight: now, stable })).toBe(words);
  });
});
