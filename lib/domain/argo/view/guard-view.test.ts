import { describe, expect, it } from "vitest";
import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import { at, background, later, pausedAt, rolloutOf } from "#lib/domain/argo/plan/testing/effect-samples.ts";
import { anchorOf, assessView } from "#lib/domain/argo/view/guard-view.ts";
import { computeViewDigest } from "#lib/domain/argo/view/view-digest.ts";
import type { SeenView } from "#lib/domain/delivery/view-change.ts";

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
