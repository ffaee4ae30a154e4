import { describe, expect, it } from "vitest";
import { describePauses, describePhase, describeWorkload } from "#components/rollouts/describe-rollout.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";

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
      text: "Aborted by the controller: errors failed 2 times (limit 1).",
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
    { recorded, words: "Deployment t (v3), runs no pods of its own" },
    {
      recorded: { ...recorded, desired: 4, replicas: 4, ready: 3 },
      words: "Deployment t (v3), runs 3 of 4 pods of its own",
    },
    { recorded: { ...recorded, presence: "deleted" as const }, words: "Deployment t, deleted from the cluster" },
    { recorded: null, words: "Deployment t, not recorded" },
  ])("$words", ({ recorded, words }) => {
    expect(describeWorkload({ kind: "Deployment", name: "t", recorded })).toBe(words);
  });
});
