import { describe, expect, it } from "vitest";
import { parseRollout, type RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import { at, background, later, pausedAt, rolloutOf } from "#lib/domain/argo/plan/testing/effect-samples.ts";
import {
  anchorOf,
  assessView,
  computeDecisionView,
  computeViewDigest,
  diffDecisionViews,
  parseDecisionView,
} from "#lib/domain/argo/view/decision-view.ts";
import type { SeenView } from "#lib/domain/delivery/acting.ts";

describe("computeDecisionView", () => {
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
        {
          field: "status.currentStepIndex",
          seen: 1,
          now: 2,
          text: "The current step: was 1 completed, is 2 completed.",
        },
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
});

describe("assessView", () => {
  const rollout = rolloutOf(pausedAt(at));
  const digest = computeViewDigest(rollout);
  const same = { uid: "u-1", revisionKey: "new" };

  type Case = {
    name: string;
    seen: SeenView;
    stableRS?: string;
    protective: boolean;
    current: boolean;
  };
  it.each<Case>([
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
    {
      name: "protective, promoted meanwhile",
      seen: { viewDigest: "x", ...same },
      stableRS: "new",
      protective: true,
      current: false,
    },
    { name: "protective, nothing said", seen: { viewDigest: "x" }, protective: true, current: false },
  ])("$name: $current", ({ seen, stableRS, protective, current }) => {
    const now = stableRS === undefined ? rollout : rolloutOf({ ...pausedAt(at), stableRS });
    expect(assessView({ rollout: now, seen, protective }).current).toBe(current);
  });

  it("lets a protective action through on what is promoted where the view is the one that was seen", () => {
    const promoted = rolloutOf({ stableRS: "new" });
    const seen = { viewDigest: computeViewDigest(promoted), ...same };
    expect(assessView({ rollout: promoted, seen, protective: true }).current).toBe(true);
  });

  it("takes no empty revision for the same one", () => {
    const young = rolloutOf({ currentPodHash: "" });
    const seen = { viewDigest: "x", uid: "u-1", revisionKey: "" };
    expect(assessView({ rollout: young, seen, protective: true }).current).toBe(false);
  });
});

describe("anchorOf", () => {
  const rollout = rolloutOf(pausedAt(at), { paused: true });
  type Case = { name: string; second: "" | "status"; now: RolloutObject; same: boolean };
  it.each<Case>([
    { name: "spec.paused: another step", second: "", now: rolloutOf({ currentStepIndex: 3 }), same: true },
    { name: "spec.paused: aborted", second: "", now: rolloutOf({ abort: true }), same: false },
    { name: "spec.paused: another revision", second: "", now: rolloutOf({ currentPodHash: "newer" }), same: false },
    { name: "the gate: spec.paused is lifted", second: "status", now: rolloutOf(pausedAt(at)), same: true },
    {
      name: "the gate: replicas changed",
      second: "status",
      now: rolloutOf({ ...pausedAt(at), readyReplicas: 3 }, { resourceVersion: "7" }),
      same: true,
    },
    { name: "the gate: another pause", second: "status", now: rolloutOf(pausedAt(later)), same: false },
    {
      name: "the gate: a timed pause is over, the next one waits",
      second: "status",
      now: rolloutOf({ ...pausedAt(at), currentStepIndex: 3 }),
      same: false,
    },
    {
      name: "the gate: a run ended",
      second: "status",
      now: rolloutOf({ ...pausedAt(at), ...background("bg", "Inconclusive") }),
      same: false,
    },
    { name: "the gate: aborted", second: "status", now: rolloutOf({ ...pausedAt(at), abort: true }), same: false },
    { name: "the gate: created again", second: "status", now: rolloutOf(pausedAt(at), { uid: "u-2" }), same: false },
  ])("$name: same $same", ({ second, now, same }) => {
    expect(anchorOf({ rollout, second }) === anchorOf({ rollout: now, second })).toBe(same);
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
    for (const second of ["", "status"] as const) {
      const anchor = anchorOf({ rollout: withWorkload("web", "3"), second });
      expect(anchorOf({ rollout: withWorkload("web", "3"), second })).toBe(anchor);
      expect(anchorOf({ rollout: withWorkload("web", "4"), second })).not.toBe(anchor);
      expect(anchorOf({ rollout: withWorkload("other", "3"), second })).not.toBe(anchor);
    }
  });
});
