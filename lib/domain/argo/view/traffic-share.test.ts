import { describe, expect, it } from "vitest";
import { parseRollout } from "#lib/domain/argo/objects/rollout-object.ts";
import { describeFollows } from "#lib/domain/argo/view/describe-rest.ts";
import { listWeightSteps, readActualWeight, readSetWeight } from "#lib/domain/argo/view/read-weights.ts";
import { computeSteps } from "#lib/domain/argo/view/rollout-steps.ts";
import { computeRolloutView } from "#lib/domain/argo/view/rollout-view.ts";
import { trafficShareOf } from "#lib/domain/argo/view/traffic-share.ts";

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
