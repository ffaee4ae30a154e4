import { describe, expect, it } from "vitest";
import { parseRollout, type RolloutObject, readRevisionMark } from "#lib/domain/argo/objects/rollout-object.ts";
import { describeFollows } from "#lib/domain/argo/view/describe-detail.ts";
import { computeSteps } from "#lib/domain/argo/view/rollout-steps.ts";
import { computeRolloutView } from "#lib/domain/argo/view/rollout-view.ts";
import { listWeightSteps, readActualWeight, readSetWeight, trafficShareOf } from "#lib/domain/argo/view/weights.ts";
import type { RevisionMark } from "#lib/domain/delivery/attribute-revision.ts";
import { extractReplicaSetFacts, parseReplicaSet, type ReplicaSetFacts } from "#lib/domain/kube/replica-set-object.ts";
import { readRealStream, statesOf } from "#test/real-streams.ts";

const lines = readRealStream("s6");
const states = statesOf(lines, "Rollout", "s6-acts");

function rolloutAt(resourceVersion: string): RolloutObject {
  const parsed = parseRollout(states.find(({ metadata }) => metadata.resourceVersion === resourceVersion));
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

/** Returns the rollout's ReplicaSets as last seen before that version. */
function replicaSetsAt(resourceVersion: string) {
  const seen = new Map<string, ReplicaSetFacts & RevisionMark>();
  for (const { object } of lines) {
    const isOwn = object.kind === "ReplicaSet" && object.metadata.ownerReferences?.[0]?.name === "s6-acts";
    if (!isOwn || Number(object.metadata.resourceVersion) > Number(resourceVersion)) continue;
    const parsed = parseReplicaSet(object);
    if (!parsed.ok) continue;
    const { value } = parsed;
    seen.set(object.metadata.uid, { ...extractReplicaSetFacts(value), ...readRevisionMark(value.metadata) });
  }
  return [...seen.values()];
}

/** `view`: for the page and the lists, which know the ReplicaSets. `own`: from the Rollout itself. */
const cases = [
  { name: "set, and no pod of the new version yet", version: "1378", view: { set: 25, actual: 0 }, own: 0 },
  { name: "paused, all pods available", version: "1499", view: { set: 25, actual: 25 }, own: 25 },
  { name: "set to 50, one of two pods there", version: "2219", view: { set: 50, actual: 25 }, own: 25 },
  {
    name: "behind the last step by full promotion, one pod of four",
    version: "3371",
    view: { set: 100, actual: 25 },
    own: 25,
  },
  { name: "behind the last step, not all available", version: "3386", view: { set: 100, actual: 33 }, own: 33 },
  { name: "promoted", version: "3449", view: { set: 100, actual: 100 }, own: undefined },
];

describe("the weight of the new version in the real controller's writes", () => {
  it.each(cases)("$name", ({ version, view, own }) => {
    const rollout = rolloutAt(version);
    const { weight } = computeRolloutView({ rollout, replicaSets: replicaSetsAt(version) });
    expect({ weight, own: readActualWeight(rollout) }).toEqual({ weight: view, own });
  });

  it("is what the router was told, where there is one", () => {
    const rollout = rolloutAt("1499");
    const { canary } = rollout.spec.strategy;
    const routed: RolloutObject = {
      ...rollout,
      spec: { ...rollout.spec, strategy: { canary: { ...canary, steps: canary?.steps, trafficRouting: {} } } },
    } as RolloutObject;
    expect(readActualWeight(routed)).toBeUndefined();
    const reported = { ...routed, status: { ...routed.status, canary: { weights: { canary: { weight: 10 } } } } };
    expect(readActualWeight(reported as RolloutObject)).toBe(10);
    expect(readSetWeight(routed)).toBe(25);
  });
});

describe("trafficShareOf", () => {
  it.each([
    { weight: 0, maxWeight: 100, share: 0 },
    { weight: 20, maxWeight: 100, share: 20 },
    { weight: 333, maxWeight: 1000, share: 33.3 },
    { weight: 500_000, maxWeight: 100_000_000, share: 0.5 },
    { weight: 33_333_333, maxWeight: 100_000_000, share: 33.33 },
    { weight: 1, maxWeight: 100_000_000, share: 0.000001 },
    { weight: 99_999_999, maxWeight: 100_000_000, share: 99.99 },
    { weight: 100_000_000, maxWeight: 100_000_000, share: 100 },
  ])("$weight of $maxWeight is $share %", ({ weight, maxWeight, share }) => {
    expect(trafficShareOf({ weight, maxWeight })).toBe(share);
  });
});

// From the case max-traffic-weight of public bug reports: argoproj/argo-rollouts#2901 and #3474.
describe("a rollout with maxTrafficWeight 100000000", () => {
  const steps = [
    { setWeight: 500_000 },
    { pause: {} },
    { setCanaryScale: { weight: 25_000_000 } },
    { setWeight: 100_000_000 },
  ];
  const parsed = parseRollout({
    kind: "Rollout",
    metadata: {
      name: "web",
      namespace: "shop",
      uid: "u",
      resourceVersion: "1",
      creationTimestamp: "2026-11-20T10:00:00Z",
    },
    spec: { strategy: { canary: { steps, trafficRouting: { maxTrafficWeight: 100_000_000 } } } },
    status: {
      currentStepIndex: 1,
      currentPodHash: "new",
      stableRS: "old",
      canary: { weights: { canary: { weight: 500_000 } } },
    },
  });
  if (!parsed.ok) throw new Error(parsed.reason);
  const rollout = parsed.value;

  it("has shares of the traffic in lists, dialogs, charts and steps", () => {
    expect(computeRolloutView({ rollout, replicaSets: [] }).weight).toEqual({ set: 0.5, actual: 0.5 });
    expect([readSetWeight(rollout), readActualWeight(rollout)]).toEqual([0.5, 0.5]);
    expect(listWeightSteps(rollout)).toEqual([{ setWeight: 0.5 }, {}, {}, { setWeight: 100 }]);
    expect(computeSteps(rollout).map(({ text }) => text)).toEqual([
      "setWeight: 500000 (0.5 %)",
      "pause",
      "setCanaryScale{weight: 25000000 (25 %)}",
      "setWeight: 100000000 (100 %)",
    ]);
    expect(describeFollows({ rollout, step: 0 })?.text).toBe(
      "Then wait for a person → canary pods at 25 % → 100 % → full promotion, no further analysis.",
    );
  });
});
