import { describe, expect, it } from "vitest";
import type { CanaryHistory } from "#lib/domain/flagger/history/run-memory.ts";
import type { WorkloadState } from "#lib/domain/kube/workload-object.ts";
import { assessCanary } from "./canary-state.ts";
import { describeCanary } from "./describe-canary.ts";
import { summarizeCanary } from "./summarize.ts";
import { canaryOf } from "./testing/sample-canary.ts";
import { workloadOf } from "./testing/sample-workload.ts";

const weights = { interval: "1m", threshold: 5, stepWeight: 20, maxWeight: 60 };
const condition = (reason: string, message: string) => ({
  type: "Promoted",
  status: "False",
  reason,
  message,
  lastUpdateTime: "2026-08-01T10:00:00Z",
  lastTransitionTime: "2026-08-01T09:00:00Z",
});

function show(
  status: object,
  {
    analysis = weights,
    spec = {},
    target,
    history = {},
  }: { analysis?: object; spec?: object; target?: WorkloadState; history?: CanaryHistory } = {},
) {
  const canary = canaryOf({
    spec: { provider: "istio", targetRef: { kind: "Deployment", name: "podinfo" }, analysis, ...spec },
    status: { lastAppliedSpec: "new", lastPromotedSpec: "old", ...status },
  });
  const primary = workloadOf({ images: ["podinfo:1"] });
  const workloads = { primary, target: target ?? workloadOf({ images: ["podinfo:2"] }) };
  const assessment = assessCanary({
    canary,
    version: "1.44.0",
    ...workloads,
    isOurHook: () => false,
    previous: history,
  });
  return {
    summary: summarizeCanary({ canary, assessment, ...workloads }),
    detail: describeCanary({ canary, assessment, ...workloads, isOurHook: () => false }),
  };
}

it("warns of a weight that the route contradicts, and says which of the two counts", () => {
  const status = { phase: "Progressing", canaryWeight: 20 };
  expect(show(status, { history: { routeWeight: 50 } }).detail.notices).toContainEqual({
    severity: "warning",
    text: "Flagger reports 20 %, but the route sends 50 %. The route is what counts: 50 % of live traffic is on the new version.",
    deadline: null,
  });
  // A weight that is only remembered contradicts nothing.
  const { notices } = show(
    { ...status, phase: "WaitingPromotion", canaryWeight: 0 },
    { history: { lastKnownWeight: 50 } },
  ).detail;
  expect(notices.map(({ severity }) => severity)).not.toContain("warning");
});

it("explains without a warning the weight that Flagger clears before each promotion", () => {
  const { notices } = show({ phase: "WaitingPromotion", canaryWeight: 0 }, { history: { routeWeight: 50 } }).detail;
  expect(notices).toContainEqual({
    severity: "info",
    text: "Flagger reports 0 % whenever it waits for the promotion; the route sends 50 %.",
    deadline: null,
  });
  expect(notices.map(({ severity }) => severity)).not.toContain("warning");
});

describe("the phase for lists", () => {
  it.each([
    ["", {}, "Progressing"],
    ["Initializing", {}, "Progressing"],
    ["Initialized", {}, "Healthy"],
    ["Waiting", {}, "Paused"],
    ["Progressing", {}, "Progressing"],
    ["WaitingPromotion", {}, "Paused"],
    ["Promoting", {}, "Progressing"],
    ["Finalising", {}, "Progressing"],
    ["Succeeded", {}, "Healthy"],
    ["Failed", {}, "Degraded"],
    ["Terminating", {}, "Unknown"],
    ["WaitingTrafficIncrease", {}, "Unknown"],
    ["Succeeded", { suspend: true }, "Paused"],
  ])("in %s %o is %s", (phase, spec, expected) => {
    const { summary } = show({ phase }, { spec });
    expect(summary.phase).toBe(expected);
    expect(summary.providerPhase).toBe(phase === "" ? null : phase);
  });
});

describe("the place of a run", () => {
  it.each([
    {
      name: "before the first step",
      status: { phase: "Progressing", canaryWeight: 0 },
      place: [0, 3],
      set: 0,
      actual: 0,
    },
    {
      name: "at the second step",
      status: { phase: "Progressing", canaryWeight: 40 },
      place: [1, 3],
      set: 40,
      actual: 40,
    },
    {
      name: "at a weight that is not planned",
      status: { phase: "Progressing", canaryWeight: 30 },
      place: [null, 3],
      set: 30,
      actual: 30,
    },
    {
      name: "at the wait for the promotion",
      status: { phase: "WaitingPromotion", canaryWeight: 0 },
      place: [3, 3],
      set: null,
      actual: null,
    },
    { name: "after a failure", status: { phase: "Failed", canaryWeight: 0 }, place: [null, 3], set: 0, actual: 0 },
  ])("$name", ({ status, place, set, actual }) => {
    const { step, stepCount, weight } = show(status).summary;
    expect([step, stepCount]).toEqual(place);
    expect(weight).toEqual({ set, actual });
  });

  it("is an iteration for blue-green, and there is no weight", () => {
    const { summary, detail } = show({ phase: "Progressing", iterations: 4 }, { analysis: { iterations: 10 } });
    expect(summary).toMatchObject({ strategy: "BlueGreen", step: 3, stepCount: 11, weight: null });
    expect(detail.steps[3]).toEqual({
      index: 3,
      kind: "analysis",
      text: "check 4",
      state: "current",
      endsAt: null,
      pluginStatuses: [],
    });
    expect(detail.follows?.text).toBe(
      "Then check 5 → check 6 → check 7 → check 8 → 2 more rounds → all traffic to the canary → check 11 → promotion of the primary → traffic back to the primary → canary scaled to zero.",
    );
  });
});

describe("the rest", () => {
  it("names steps, what follows, and the images by role", () => {
    const { summary, detail } = show({ phase: "Progressing", canaryWeight: 20, trackedConfigs: { "secret/a": "1" } });
    expect(summary.images).toEqual([
      { image: "podinfo:1", tags: ["stable"] },
      { image: "podinfo:2", tags: ["canary"] },
    ]);
    expect(summary.revisionKey).toMatch(/^new-[0-9a-f]{12}$/);
    expect(detail.steps.map(({ text, state }) => `${text} ${state}`)).toEqual([
      "weight 20 % current",
      "weight 40 % pending",
      "weight 60 % pending",
    ]);
    expect(detail.follows?.text).toBe(
      "Then 40 % → 60 % → promotion of the primary → traffic back to the primary → canary scaled to zero.",
    );
    expect(detail.replicas).toEqual({ desired: 4, current: 4, updated: 2, ready: 4, available: 4 });
    expect(detail.stableRevisionKey).toBe("old");
  });

  it("leaves out the images of a target without pods", () => {
    const target = workloadOf({ desired: 0, replicas: 0, images: ["podinfo:2"] });
    expect(show({ phase: "Failed" }, { target }).summary.images).toEqual([{ image: "podinfo:1", tags: ["stable"] }]);
  });

  it("corrects the condition of a failed promotion, and only that", () => {
    const conditions = [condition("Failed", "Canary analysis failed, Deployment scaled to zero.")];
    const messageOf = ({ detail }: ReturnType<typeof show>) => detail.conditions[0]?.message;
    expect(messageOf(show({ phase: "Failed", canaryWeight: 100, conditions }))).toBe(
      "Canary analysis failed. The target was not scaled to zero: its pods still run.",
    );
    const target = workloadOf({ desired: 0, replicas: 0 });
    expect(messageOf(show({ phase: "Failed", conditions }, { target }))).toBe(
      "Canary analysis failed, Deployment scaled to zero.",
    );
  });

  it("says that a skipped analysis is promoted, and promises no steps", () => {
    const { detail } = show({ phase: "Progressing", canaryWeight: 20 }, { spec: { skipAnalysis: true } });
    expect(detail).toMatchObject({ promoteFull: true, follows: null });
  });

  it("has no rest without a run, or for a plan without an end", () => {
    expect(show({ phase: "Succeeded" }).detail.follows).toBe(null);
    const { summary, detail } = show({ phase: "Progressing" }, { analysis: { stepWeight: 0 } });
    expect([summary.step, summary.stepCount, detail.follows]).toEqual([null, 0, null]);
  });
});
