import { describe, expect, it } from "vitest";
import { assessEffect, type ExpectedEffect, planEffect } from "#lib/domain/argo/action-effect.ts";
import { assessReadBack } from "#lib/domain/argo/assess-read-back.ts";
import { anchorOf, assessView, isSameAnchor } from "#lib/domain/argo/guard-view.ts";
import { parseRollout, type RolloutObject } from "#lib/domain/argo/rollout-object.ts";
import { computeViewDigest } from "#lib/domain/argo/view-digest.ts";

type Json = Record<string, unknown>;
const at = "2026-11-20T10:00:00Z";
const later = "2026-11-20T10:05:00Z";
const pausedAt = (startTime: string, reason = "CanaryPauseStep") => ({
  controllerPause: true,
  pauseConditions: [{ reason, startTime }],
});
const stepRun = (name: string, status: string) => ({ canary: { currentStepAnalysisRunStatus: { name, status } } });
const background = (name: string, status: string) => ({
  canary: { currentBackgroundAnalysisRunStatus: { name, status } },
});

function rolloutOf(status: Json, { uid = "u-1", resourceVersion = "1", paused = false } = {}): RolloutObject {
  const parsed = parseRollout({
    kind: "Rollout",
    metadata: { name: "checkout", namespace: "payments", uid, resourceVersion },
    spec: {
      paused,
      strategy: { canary: { steps: [{ setWeight: 20 }, { pause: {} }, { analysis: {} }, { pause: {} }] } },
    },
    status: { currentPodHash: "new", stableRS: "old", currentStepIndex: 1, ...status },
  });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

type Case = { name: string; kind: ExpectedEffect["kind"]; before: Json; runs?: string[]; now: Json; state: string };

const inline = { currentStepIndex: 2, ...pausedAt(at, "InconclusiveAnalysisRun"), ...stepRun("run", "Inconclusive") };
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
    name: "continue, taken up",
    kind: "resumed",
    before: pausedAt(at),
    now: { controllerPause: false },
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
    now: { controllerPause: false, canary: { currentExperiment: "e-2" } },
    state: "effective",
  },
  {
    name: "continue, next step",
    kind: "resumed",
    before: pausedAt(at),
    now: { currentStepIndex: 2 },
    state: "effective",
  },
  {
    name: "continue, waits at another pause",
    kind: "resumed",
    before: pausedAt(at),
    now: { currentStepIndex: 3, ...pausedAt(later) },
    state: "effective",
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
    now: background("bg.1", "Running"),
    state: "effective",
  },
  { name: "abort, only our patch", kind: "aborted", before: {}, now: { abort: true }, state: "pending" },
  { name: "abort, taken up", kind: "aborted", before: {}, now: { abort: true, abortedAt: at }, state: "effective" },
  {
    name: "abort, time of an earlier abort",
    kind: "aborted",
    before: { abortedAt: at },
    now: { abort: true, abortedAt: at },
    state: "pending",
  },
  {
    name: "abort, reported by condition",
    kind: "aborted",
    before: {},
    now: { abort: true, conditions: [{ type: "Progressing", reason: "RolloutAborted" }] },
    state: "effective",
  },
  { name: "abort, promoted first", kind: "aborted", before: {}, now: { stableRS: "new" }, state: "not-effective" },
  {
    name: "retry, only our patch",
    kind: "retried",
    before: { abort: true, abortedAt: at },
    now: { abortedAt: at },
    state: "pending",
  },
  { name: "retry, taken up", kind: "retried", before: { abort: true, abortedAt: at }, now: {}, state: "effective" },
  {
    name: "retry, aborted again",
    kind: "retried",
    before: { abort: true, abortedAt: at },
    now: { abort: true, abortedAt: later },
    state: "effective",
  },
  {
    name: "retry, nothing done",
    kind: "retried",
    before: { abort: true, abortedAt: at },
    now: { abort: true, abortedAt: at },
    state: "pending",
  },
];

describe("assessEffect", () => {
  it.each(cases)("$name: $state", ({ kind, before, runs, now, state }) => {
    const expected = planEffect({ rollout: rolloutOf(before), kind, runs });
    expect(assessEffect({ expected, rollout: rolloutOf(now) }).state).toBe(state);
  });

  it("never belongs to an object that was created again", () => {
    const expected = planEffect({ rollout: rolloutOf({}), kind: "aborted" });
    const rollout = rolloutOf({ abort: true, abortedAt: at }, { uid: "u-2" });
    expect(assessEffect({ expected, rollout }).state).toBe("not-effective");
  });
});

describe("assessReadBack", () => {
  const before = rolloutOf(pausedAt(at));
  const seen = { digest: computeViewDigest(before), resourceVersion: "1" };

  type Read = {
    name: string;
    kind?: ExpectedEffect["kind"];
    now: RolloutObject;
    carries: boolean[];
    late: boolean;
    outcome: string;
  };
  it.each<Read>([
    { name: "same version, early", now: before, carries: [false], late: false, outcome: "waiting" },
    { name: "same version, late", now: before, carries: [false], late: true, outcome: "refused" },
    {
      name: "other version, same view, early",
      now: rolloutOf(pausedAt(at), { resourceVersion: "2" }),
      carries: [false],
      late: false,
      outcome: "waiting",
    },
    {
      name: "carried",
      now: rolloutOf({ controllerPause: true }, { resourceVersion: "2" }),
      carries: [true],
      late: false,
      outcome: "applied",
    },
    {
      name: "effect shows",
      now: rolloutOf({ currentStepIndex: 3, ...pausedAt(later) }, { resourceVersion: "2" }),
      carries: [false],
      late: false,
      outcome: "applied",
    },
    {
      name: "half carried, the other half may still come",
      now: rolloutOf({ controllerPause: true }, { resourceVersion: "2" }),
      carries: [true, false],
      late: false,
      outcome: "waiting",
    },
    {
      name: "half carried, late",
      now: rolloutOf({ controllerPause: true }, { resourceVersion: "2" }),
      carries: [true, false],
      late: true,
      outcome: "partial",
    },
    {
      name: "still waits, other change",
      now: rolloutOf({ ...pausedAt(at), promoteFull: true }, { resourceVersion: "2" }),
      carries: [false],
      late: true,
      outcome: "refused",
    },
    {
      name: "created again",
      now: rolloutOf({}, { uid: "u-2", resourceVersion: "2" }),
      carries: [false],
      late: true,
      outcome: "undecidable",
    },
    {
      name: "new revision",
      now: rolloutOf({ currentPodHash: "newer" }, { resourceVersion: "2" }),
      carries: [false],
      late: true,
      outcome: "undecidable",
    },
    // The controller noted the lifted pauses; spec.paused, which the second patch was to lift, still holds it.
    ...(["resumed", "step-passed"] as const).map((kind) => ({
      name: `${kind}, the first of two patches`,
      kind,
      now: rolloutOf(
        { controllerPause: false, currentStepIndex: kind === "resumed" ? 1 : 2 },
        { resourceVersion: "2", paused: true },
      ),
      carries: [true, false],
      late: true,
      outcome: "partial",
    })),
    {
      name: "resumed, both patches, and held again by somebody at the next step",
      now: rolloutOf({ controllerPause: false, currentStepIndex: 2 }, { resourceVersion: "3", paused: true }),
      carries: [true, false],
      late: true,
      outcome: "applied",
    },
  ])("$name: $outcome", ({ kind = "resumed", now, carries, late, outcome }) => {
    const verdict = assessReadBack({
      rollout: now,
      carries,
      before: seen,
      expected: planEffect({ rollout: before, kind }),
      isGraceOver: late,
      sentAt: new Date(),
    });
    expect(verdict.outcome).toBe(outcome);
  });
});

describe("assessView", () => {
  const rollout = rolloutOf(pausedAt(at));
  const digest = computeViewDigest(rollout);
  const same = { uid: "u-1", revisionKey: "new" };

  it.each([
    { name: "same digest", seen: { viewDigest: digest }, protective: false, current: true },
    { name: "other digest", seen: { viewDigest: "x", ...same }, protective: false, current: false },
    { name: "protective, same revision", seen: { viewDigest: "x", ...same }, protective: true, current: true },
    {
      name: "protective, other revision",
      seen: { viewDigest: "x", ...same, revisionKey: "old" },
      protective: true,
      current: false,
    },
    {
      name: "protective, other object",
      seen: { viewDigest: "x", ...same, uid: "u-2" },
      protective: true,
      current: false,
    },
    { name: "protective, nothing said", seen: { viewDigest: "x" }, protective: true, current: false },
  ])("$name: $current", ({ seen, protective, current }) => {
    expect(assessView({ rollout, seen, protective }).current).toBe(current);
  });

  it("takes no empty revision for the same one", () => {
    const young = rolloutOf({ currentPodHash: "" });
    const seen = { viewDigest: "x", uid: "u-1", revisionKey: "" };
    expect(assessView({ rollout: young, seen, protective: true }).current).toBe(false);
  });

  it("anchors the second patch on object, template, revision and abort", () => {
    const anchor = anchorOf(rollout);
    expect(isSameAnchor(anchor, anchorOf(rolloutOf({ currentStepIndex: 3 })))).toBe(true);
    expect(isSameAnchor(anchor, anchorOf(rolloutOf({ abort: true })))).toBe(false);
    expect(isSameAnchor(anchor, anchorOf(rolloutOf({ currentPodHash: "newer" })))).toBe(false);
  });

  it("anchors it on the workload where the template lies there", () => {
    const withWorkload = (name: string, generation: string): RolloutObject => ({
      ...rollout,
      metadata: {
        ...rollout.metadata,
        annotations: { "rollout.argoproj.io/workload-generation": generation },
      },
      spec: { ...rollout.spec, workloadRef: { kind: "Deployment", name } },
    });
    const anchor = anchorOf(withWorkload("web", "3"));
    expect(isSameAnchor(anchor, anchorOf(withWorkload("web", "3")))).toBe(true);
    expect(isSameAnchor(anchor, anchorOf(withWorkload("web", "4")))).toBe(false);
    expect(isSameAnchor(anchor, anchorOf(withWorkload("other", "3")))).toBe(false);
  });
});
