import { describe, expect, it } from "vitest";
import type { SubjectActionName } from "#lib/domain/acting/action-catalogue.ts";
import { parseAnalysisRun } from "#lib/domain/argo/objects/analysis-run-object.ts";
import { parseExperiment } from "#lib/domain/argo/objects/experiment-object.ts";
import { parseRollout } from "#lib/domain/argo/objects/rollout-object.ts";
import {
  assessRunEffect,
  carriesSubjectChange,
  planSubjectAction,
  stateOf,
} from "#lib/domain/argo/plan/plan-terminate.ts";

type Json = Record<string, unknown>;

const metadata = { name: "run-1", namespace: "shop", uid: "r-1", resourceVersion: "5" };
const ended = { type: "Completed", status: "True", lastTransitionTime: "2026-11-20T10:00:00Z" };

function subjectOf({
  kind = "AnalysisRun",
  phase,
  spec = {},
  meta = {},
}: {
  kind?: string;
  phase?: string;
  spec?: Json;
  meta?: Json;
}) {
  const object = {
    kind,
    metadata: { ...metadata, ...meta },
    spec: { metrics: [], templates: [], ...spec },
    status: phase === undefined ? undefined : { phase, conditions: [ended] },
  };
  const parsed = kind === "AnalysisRun" ? parseAnalysisRun(object) : parseExperiment(object);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

function rolloutOf(canary: Json) {
  const parsed = parseRollout({
    kind: "Rollout",
    metadata: { name: "checkout", namespace: "shop", uid: "u-1", resourceVersion: "1" },
    spec: { strategy: { canary: { steps: [{ setWeight: 20 }, { analysis: {} }] } } },
    status: { currentStepIndex: 1, canary },
  });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

const deletion = { deletionTimestamp: "2026-11-20T10:00:00Z" };
type Case = { action?: SubjectActionName; kind?: string; phase?: string; spec?: Json; meta?: Json; expected: string };

it.each<Case>([
  { phase: "Running", expected: "terminate" },
  { phase: "Pending", expected: "terminate" },
  { expected: "terminate" },
  ...["Successful", "Failed", "Error", "Inconclusive"].map((phase) => ({ phase, expected: "ended" })),
  { phase: "Running", spec: { terminate: true }, expected: "terminating" },
  { phase: "Running", meta: deletion, expected: "being_deleted" },
  { phase: "Dancing", expected: "unknown_state" },
  { kind: "Experiment", phase: "Running", expected: "terminate" },
  { kind: "Experiment", phase: "Failed", expected: "ended" },
  { action: "retry", phase: "Failed", expected: "not_an_experiment" },
  { action: "retry", kind: "Experiment", phase: "Running", expected: "not_ended" },
  { action: "retry", kind: "Experiment", phase: "Successful", expected: "successful" },
  { action: "retry", kind: "Experiment", phase: "Failed", spec: { terminate: true }, expected: "terminating" },
  ...["Failed", "Error", "Inconclusive"].map((phase) => ({
    action: "retry" as const,
    kind: "Experiment",
    phase,
    expected: "retry",
  })),
])("$action $kind $phase $spec: $expected", ({ action = "terminate", expected, ...subject }) => {
  const plan = planSubjectAction({ action, object: subjectOf(subject), rollout: undefined });
  if (plan.kind === "refused") expect(plan.reasonCode).toBe(expected);
  else {
    expect(expected).toBe(action);
    expect(plan.patches).toEqual([
      { subresource: "", body: action === "terminate" ? { spec: { terminate: true } } : { status: null } },
    ]);
    expect(plan.target).toMatchObject({ name: "run-1", uid: "r-1", resourceVersion: "5" });
  }
});

describe("the effect of terminate", () => {
  const step = (status: string) => ({ currentStepAnalysisRunStatus: { name: "run-2", status } });
  const own = { currentBackgroundAnalysisRunStatus: { name: "run-1", status: "Running" } };
  it.each([
    {
      name: "nothing else",
      canary: own,
      says: "This lets the release of checkout through at step 2 of 2: no other analysis replaces it.",
    },
    {
      name: "a run that has ended",
      canary: { ...own, ...step("Inconclusive") },
      says: "no other analysis replaces it.",
    },
    {
      name: "a run",
      canary: { ...own, ...step("Running") },
      says: "It then no longer holds the release of checkout at step 2 of 2; run run-2 still judges it.",
    },
    {
      name: "a run and an experiment",
      canary: { ...own, ...step("Pending"), currentExperiment: "e-1" },
      says: "run run-2 and experiment e-1 still judge it.",
    },
  ])("names what still judges: $name", ({ canary, says }) => {
    const plan = planSubjectAction({
      action: "terminate",
      object: subjectOf({ phase: "Running" }),
      rollout: rolloutOf(canary),
    });
    expect(plan.kind === "patches" && plan.effect.endsWith(says) ? says : plan).toBe(says);
  });

  it.each([
    { name: "the current step's run", canary: { currentStepAnalysisRunStatus: { name: "run-1", status: "Running" } } },
    { name: "the background run", canary: { currentBackgroundAnalysisRunStatus: { name: "run-1" } } },
  ])("says of $name that it lets the release through", ({ canary }) => {
    const plan = planSubjectAction({
      action: "terminate",
      object: subjectOf({ phase: "Running" }),
      rollout: rolloutOf(canary),
    });
    if (plan.kind === "refused") throw new Error(plan.reason);
    expect(plan.effect).toBe(
      "Ends run run-1 early, usually as Successful, regardless of its measurements so far. This lets the release of checkout through at step 2 of 2: no other analysis replaces it.",
    );
    expect(plan).toMatchObject({
      waives: "the unfinished run run-1",
      kubectl: `kubectl patch analysisrun run-1 -n shop --type=merge -p '{"spec":{"terminate":true}}'`,
    });
  });

  it("says of an experiment that its runs end with it", () => {
    const object = subjectOf({ kind: "Experiment", phase: "Running" });
    const plan = planSubjectAction({ action: "terminate", object, rollout: undefined });
    expect(plan.kind === "patches" && plan.effect).toContain(
      "Ends experiment run-1 early, its runs with it, usually as Successful",
    );
  });

  it("says that no rollout owns it", () => {
    const plan = planSubjectAction({
      action: "terminate",
      object: subjectOf({ phase: "Running" }),
      rollout: undefined,
    });
    expect(plan.kind === "patches" && plan.effect).toContain("No rollout owns it.");
  });
});

it.each<{
  name: string;
  action: SubjectActionName;
  phase: string;
  after: { phase?: string; at?: string; terminate?: boolean };
  carries: boolean;
  effect: string;
}>([
  {
    name: "not taken up",
    action: "terminate",
    phase: "Running",
    after: { phase: "Running" },
    carries: false,
    effect: "pending",
  },
  {
    name: "patched",
    action: "terminate",
    phase: "Running",
    after: { phase: "Running", terminate: true },
    carries: true,
    effect: "pending",
  },
  {
    name: "ended",
    action: "terminate",
    phase: "Running",
    after: { phase: "Successful", terminate: true },
    carries: true,
    effect: "effective",
  },
  {
    name: "as before",
    action: "retry",
    phase: "Failed",
    after: { phase: "Failed" },
    carries: false,
    effect: "pending",
  },
  { name: "cleared", action: "retry", phase: "Failed", after: {}, carries: true, effect: "pending" },
  {
    name: "running",
    action: "retry",
    phase: "Failed",
    after: { phase: "Running" },
    carries: true,
    effect: "effective",
  },
  {
    name: "ended anew",
    action: "retry",
    phase: "Failed",
    after: { phase: "Failed", at: "2026-11-20T10:09:00Z" },
    carries: true,
    effect: "effective",
  },
])("$action $name", ({ action, phase, after, carries, effect }) => {
  const kind = action === "retry" ? "Experiment" : "AnalysisRun";
  const plan = planSubjectAction({ action, object: subjectOf({ kind, phase }), rollout: undefined });
  if (plan.kind === "refused") throw new Error(plan.reason);
  const object = subjectOf({
    kind,
    ...(after.phase === undefined ? {} : { phase: after.phase }),
    spec: { terminate: after.terminate },
  });
  if (after.at !== undefined && object.kind === "Experiment" && object.status !== undefined)
    object.status.conditions = [{ ...ended, lastTransitionTime: after.at, lastUpdateTime: undefined }];
  const expected = plan.expectedEffect;
  expect(carriesSubjectChange({ expected, object })).toBe(carries);
  expect(assessRunEffect({ expected, run: { uid: "r-1", ...stateOf(object) } }).state).toBe(effect);
});
