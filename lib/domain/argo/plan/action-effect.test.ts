import { describe, expect, it } from "vitest";
import { noteAnswer, planEffect } from "#lib/domain/argo/plan/action-effect.ts";
import { assessEffect } from "#lib/domain/argo/plan/assess-effect.ts";
import {
  assessCase,
  at,
  type EffectCase,
  type Json,
  later,
  rolloutOf,
  written,
} from "#lib/domain/argo/plan/testing/effect-samples.ts";

const cases: EffectCase[] = [
  {
    name: "skip all, only our patch",
    kind: "steps-skipped",
    before: {},
    now: { currentStepIndex: 4 },
    state: "pending",
    message: "All steps are skipped: waiting for the new version's pods.",
  },
  { name: "skip all, promoted", kind: "steps-skipped", before: {}, now: { stableRS: "new" }, state: "effective" },
  {
    name: "skip all, set back",
    kind: "steps-skipped",
    before: {},
    now: { currentStepIndex: 2 },
    state: "not-effective",
  },
  {
    name: "promote fully, only the flag",
    kind: "promoted",
    before: {},
    now: { promoteFull: true },
    state: "pending",
    message: "Promoting: waiting for the new version's pods.",
  },
  {
    name: "promote fully, taken up, pods are missing",
    kind: "promoted",
    before: {},
    now: { promoteFull: true, currentStepIndex: 4, ...written },
    state: "pending",
  },
  {
    name: "promote fully, an abort while it is pending",
    kind: "promoted",
    before: {},
    now: { promoteFull: true, abort: true },
    state: "pending",
  },
  { name: "promote fully, promoted", kind: "promoted", before: {}, now: { stableRS: "new" }, state: "effective" },
  { name: "promote fully, taken back", kind: "promoted", before: {}, now: {}, state: "not-effective" },
  {
    name: "promote fully, taken back by an abort",
    kind: "promoted",
    before: {},
    now: { abort: true },
    state: "not-effective",
    message: "The rollout was aborted before it was promoted.",
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
  {
    name: "abort, the condition of an earlier abort, only our patch",
    kind: "aborted",
    before: { conditions: [{ type: "Progressing", reason: "RolloutAborted" }] },
    now: { abort: true, conditions: [{ type: "Progressing", reason: "RolloutAborted" }] },
    state: "pending",
  },
  {
    name: "abort, dropped while a full promotion is pending",
    kind: "aborted",
    before: { promoteFull: true },
    now: { promoteFull: true, currentStepIndex: 4 },
    state: "not-effective",
    message: "The controller dropped the abort: full promotion was requested and is still in progress.",
  },
  {
    name: "abort, taken back by a person",
    kind: "aborted",
    before: {},
    now: {},
    state: "not-effective",
    message: "The abort was withdrawn before the controller acted on it.",
  },
  {
    name: "abort, taken up and retried between two looks",
    kind: "aborted",
    before: {},
    now: { conditions: [{ type: "Progressing", reason: "RolloutRetry" }] },
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
    name: "retry, aborted once more before the controller saw it",
    kind: "retried",
    before: { abort: true, abortedAt: at },
    now: { abort: true, abortedAt: at },
    state: "not-effective",
  },
  {
    name: "retry of an abort that the controller had not taken up",
    kind: "retried",
    before: { abort: true },
    now: {},
    state: "pending",
  },
  {
    name: "retry of an abort that the controller had not taken up, and it works again",
    kind: "retried",
    before: { abort: true },
    now: written,
    state: "effective",
  },
];

type SpecCase = Pick<EffectCase, "name" | "kind" | "now" | "state" | "message"> & { generation?: number; spec?: Json };
const invalid = { conditions: [{ type: "InvalidSpec", status: "True", message: "no steps" }] };
const restartAt = "2026-11-20T10:02:00Z";
const restart = { kind: "restarted", spec: { restartAt } } as const;
const specCases: SpecCase[] = [
  {
    name: "pause, only our patch",
    kind: "paused",
    now: { observedGeneration: "1" },
    spec: { paused: true },
    state: "pending",
  },
  {
    name: "pause, observed",
    kind: "paused",
    now: { observedGeneration: "2" },
    spec: { paused: true },
    state: "effective",
    message: "The rollout is held.",
  },
  {
    name: "pause, observed, and changed otherwise since",
    kind: "paused",
    generation: 3,
    now: { observedGeneration: "2" },
    spec: { paused: true },
    state: "effective",
  },
  {
    name: "pause, observed with a new revision",
    kind: "paused",
    generation: 3,
    now: { observedGeneration: "3", currentPodHash: "newer" },
    spec: { paused: true },
    state: "effective",
  },
  {
    name: "pause, observed as part of an invalid spec",
    kind: "paused",
    now: { observedGeneration: "2", ...invalid },
    spec: { paused: true },
    state: "pending",
    message: "The controller ignores the rollout while its spec is invalid: no steps",
  },
  { name: "pause, set back", kind: "paused", generation: 3, now: { observedGeneration: "3" }, state: "not-effective" },
  { name: "unpause, only our patch", kind: "unpaused", now: { observedGeneration: "1" }, state: "pending" },
  { name: "unpause, observed", kind: "unpaused", now: { observedGeneration: "2" }, state: "effective" },
  { name: "restart, only our patch", ...restart, now: { observedGeneration: "1" }, state: "pending" },
  {
    name: "restart, observed",
    ...restart,
    now: { observedGeneration: "2" },
    state: "pending",
    message: "The controller restarts the pods: not all are replaced yet.",
  },
  {
    name: "restart, an earlier one is done",
    ...restart,
    now: { observedGeneration: "2", restartedAt: at },
    state: "pending",
  },
  { name: "restart, done", ...restart, now: { restartedAt: restartAt }, state: "effective" },
  { name: "restart, taken back", kind: "restarted", now: {}, state: "not-effective" },
  {
    name: "restart, another one asked for",
    kind: "restarted",
    spec: { restartAt: later },
    now: {},
    state: "not-effective",
    message: `Another restart, of ${later}, replaced it before all pods were replaced.`,
  },
  {
    name: "restart, a new revision",
    ...restart,
    now: { currentPodHash: "newer", restartedAt: restartAt },
    state: "not-effective",
  },
];

describe("assessEffect", () => {
  it.each(cases)("$name: $state", (each) => {
    const { state, message } = each;
    expect(assessCase(each)).toMatchObject({ state, ...(message === undefined ? {} : { message }) });
  });

  it.each(specCases)("$name: $state", ({ kind, now, generation = 2, spec, state, message }) => {
    const before = rolloutOf({ observedGeneration: "1" });
    const asked = planEffect({ rollout: before, kind, restartAt: kind === "restarted" ? restartAt : undefined });
    const answer = rolloutOf({ observedGeneration: "1" }, { generation: 2, resourceVersion: "2" });
    const expected = noteAnswer({ expected: asked, rollout: answer });
    const assessed = assessEffect({ expected, rollout: rolloutOf(now, { generation, spec }) });
    expect(assessed).toMatchObject({ state, ...(message === undefined ? {} : { message }) });
  });

  it("never belongs to an object that was created again", () => {
    const expected = planEffect({ rollout: rolloutOf({}), kind: "aborted" });
    const rollout = rolloutOf({ abort: true, abortedAt: at }, { uid: "u-2" });
    expect(assessEffect({ expected, rollout }).state).toBe("not-effective");
  });
});
