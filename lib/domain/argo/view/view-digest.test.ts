import { describe, expect, it } from "vitest";
import { parseRollout, type RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import { diffDecisionViews, parseDecisionView } from "#lib/domain/argo/view/view-changes.ts";
import { computeDecisionView, computeViewDigest } from "#lib/domain/argo/view/view-digest.ts";

type Json = Record<string, unknown>;

const base = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "Rollout",
  metadata: {
    name: "checkout",
    namespace: "payments",
    uid: "u-1",
    resourceVersion: "100",
    generation: 4,
    annotations: { "rollout.argoproj.io/revision": "7", "rollout.argoproj.io/workload-generation": "3" },
  },
  spec: {
    replicas: 5,
    paused: false,
    template: { spec: { containers: [{ name: "app", image: "shop/checkout:1.4.2" }] } },
    strategy: { canary: { steps: [{ setWeight: 20 }, { pause: {} }] } },
  },
  status: {
    abort: false,
    promoteFull: false,
    controllerPause: true,
    pauseConditions: [{ reason: "CanaryPauseStep", startTime: "2026-11-20T10:00:00Z" }],
    currentStepIndex: 1,
    currentStepHash: "sh",
    currentPodHash: "new",
    stableRS: "old",
    replicas: 5,
    readyReplicas: 5,
    conditions: [{ type: "Progressing", status: "True", lastUpdateTime: "2026-11-20T10:00:00Z" }],
    canary: {
      currentStepAnalysisRunStatus: { name: "step-run", status: "Running", message: "" },
      currentBackgroundAnalysisRunStatus: { name: "background-run", status: "Running" },
      currentExperiment: "experiment",
      weights: { canary: { weight: 20 } },
    },
    blueGreen: {
      activeSelector: "a",
      prePromotionAnalysisRunStatus: { name: "pre-run", status: "Running" },
      postPromotionAnalysisRunStatus: { name: "post-run", status: "Running" },
    },
  },
};

function rolloutWith(path: string, value: unknown, from: Json = base): RolloutObject {
  const copy = structuredClone(from);
  const keys = path.split("/").filter((key) => key !== "");
  const last = keys.pop();
  let at: Json = copy;
  for (const key of keys) at = at[key] as Json;
  if (last !== undefined) at[last] = value;
  const parsed = parseRollout(copy);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

const asIs = rolloutWith("", undefined);
const withWorkload = structuredClone(base) as Json;
(withWorkload.spec as Json).workloadRef = { apiVersion: "apps/v1", kind: "Deployment", name: "checkout" };
const workload = rolloutWith("", undefined, withWorkload);

describe("computeViewDigest", () => {
  it("is 64 lowercase hex digits and stable", () => {
    expect(computeViewDigest(asIs)).toMatch(/^[0-9a-f]{64}$/);
    expect(computeViewDigest(rolloutWith("", undefined))).toBe(computeViewDigest(asIs));
  });

  it.each<[path: string, value: unknown]>([
    ["metadata/uid", "u-2"],
    ["spec/paused", true],
    ["spec/template/spec/containers/0/image", "shop/checkout:1.4.3"],
    ["spec/template/spec/serviceAccountName", "other"],
    ["spec/strategy/canary/steps/0/setWeight", 0],
    ["spec/strategy", { blueGreen: { activeService: "a" } }],
    ["spec/workloadRef", { apiVersion: "apps/v1", kind: "Deployment", name: "other" }],
    ["status/currentPodHash", "newer"],
    ["status/stableRS", "older"],
    ["status/currentStepIndex", 0],
    ["status/currentStepIndex", undefined],
    ["status/currentStepHash", "other"],
    ["status/controllerPause", false],
    ["status/pauseConditions", null],
    ["status/pauseConditions/0/reason", "InconclusiveAnalysisRun"],
    ["status/pauseConditions/0/startTime", "2026-11-20T10:00:01Z"],
    ["status/abort", true],
    ["status/promoteFull", true],
    ["status/canary/currentStepAnalysisRunStatus/name", "other"],
    ["status/canary/currentStepAnalysisRunStatus/status", "Inconclusive"],
    ["status/canary/currentBackgroundAnalysisRunStatus", null],
    ["status/canary/currentBackgroundAnalysisRunStatus/status", "Failed"],
    ["status/canary/currentExperiment", "other"],
    ["status/blueGreen/prePromotionAnalysisRunStatus/status", "Inconclusive"],
    ["status/blueGreen/postPromotionAnalysisRunStatus/name", "other"],
  ])("changes with %s = %j", (path, value) => {
    const changed = rolloutWith(path, value);
    expect(computeViewDigest(changed)).not.toBe(computeViewDigest(asIs));
    expect(diffDecisionViews(computeDecisionView(asIs), computeDecisionView(changed))).not.toHaveLength(0);
  });

  it.each<[path: string, value: unknown]>([
    ["metadata/resourceVersion", "101"],
    ["metadata/generation", 5],
    ["metadata/labels", { team: "payments" }],
    ["metadata/annotations", {}],
    ["metadata/managedFields", [{ manager: "x" }]],
    ["spec/replicas", 9],
    ["spec/restartAt", "2026-11-20T10:00:00Z"],
    ["status/replicas", 6],
    ["status/readyReplicas", 0],
    ["status/observedGeneration", "5"],
    ["status/phase", "Paused"],
    ["status/message", "CanaryPauseStep"],
    ["status/conditions/0/lastUpdateTime", "2026-11-20T10:00:30Z"],
    ["status/canary/weights/canary/weight", 30],
    ["status/canary/currentStepAnalysisRunStatus/message", "text"],
    ["status/blueGreen/activeSelector", "b"],
  ])("does not change with %s = %j", (path, value) => {
    expect(computeViewDigest(rolloutWith(path, value))).toBe(computeViewDigest(asIs));
  });

  it("follows the workload's generation only where a workload is referenced", () => {
    const annotations = { "rollout.argoproj.io/workload-generation": "4" };
    expect(computeViewDigest(rolloutWith("metadata/annotations", annotations, withWorkload))).not.toBe(
      computeViewDigest(workload),
    );
    expect(computeViewDigest(rolloutWith("metadata/annotations", annotations))).toBe(computeViewDigest(asIs));
  });

  it("tells lone surrogates apart, which have no canonical text", () => {
    const image = "spec/template/spec/containers/0/image";
    const digests = ["\ud800", "\ud801", "\ufffd"].map((text) => computeViewDigest(rolloutWith(image, text)));
    expect(new Set(digests).size).toBe(3);
  });
});

describe("diffDecisionViews", () => {
  it("names each change by upstream's path, with words and data", () => {
    const now = rolloutWith("status/currentStepIndex", 2);
    expect(diffDecisionViews(computeDecisionView(asIs), computeDecisionView(now))).toEqual([
      { field: "status.currentStepIndex", seen: 1, now: 2, text: "The current step: was 1 completed, is 2 completed." },
    ]);
  });

  it("is empty for equal views, also after storage", () => {
    const view = computeDecisionView(asIs);
    expect(diffDecisionViews(parseDecisionView(JSON.parse(JSON.stringify(view))), view)).toEqual([]);
  });

  it("gives null as seen for every field where the digest is unknown", () => {
    const changes = diffDecisionViews(undefined, computeDecisionView(asIs));
    expect(changes.length).toBeGreaterThan(10);
    expect(changes.every((change) => change.seen === null && change.now !== null)).toBe(true);
  });

  it("takes nothing else for a stored view", () => {
    expect(parseDecisionView({ uid: "u-1" })).toBeUndefined();
  });
});
