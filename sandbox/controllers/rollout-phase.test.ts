import { describe, expect, it } from "vitest";
import { type ConformanceCase, loadCases } from "#test/fixtures/conformance/load-cases.ts";
import { computePhase, isHealthy } from "./rollout-phase.ts";
import type { Rollout, RolloutSpec, RolloutStatus } from "./rollout-types.ts";

type PhaseCase = ConformanceCase & {
  rollout: { spec: RolloutSpec; status?: RolloutStatus };
  expect: { phase: string; message: string };
};

/** What a client adds on top of the controller's own computation, before it looks at anything else. */
const CLIENT_ONLY = /^waiting for rollout (spec update to be observed|to unpause)/;

const cases = loadCases<PhaseCase>("rollout-phase").filter(
  ({ rollout, expect: expected }) =>
    rollout.spec.strategy?.canary !== undefined &&
    rollout.status?.phase === undefined &&
    !CLIENT_ONLY.test(expected.message),
);

describe("computePhase", () => {
  it.each(cases)("agrees with upstream's $id", ({ rollout, expect: expected }) => {
    const { phase, message = "" } = computePhase(rollout.spec, rollout.status ?? {});
    expect({ phase, message }).toEqual(expected);
  });

  it("has canary cases to agree with", () => {
    expect(cases.length).toBeGreaterThan(5);
  });
});

describe("isHealthy", () => {
  const rollout: Rollout = {
    metadata: { name: "a", uid: "u", resourceVersion: "1", creationTimestamp: "2026-01-05T09:00:00Z", generation: 3 },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: "a" } },
      template: { spec: { containers: [] } },
      strategy: { canary: { steps: [{ setWeight: 50 }] } },
    },
    status: { observedGeneration: "3" },
  };
  const healthy: RolloutStatus = {
    replicas: 2,
    updatedReplicas: 2,
    availableReplicas: 2,
    stableRS: "x",
    currentPodHash: "x",
    currentStepIndex: 1,
  };
  const cases: { name: string; change: RolloutStatus; expected: boolean }[] = [
    { name: "all is done", change: {}, expected: true },
    { name: "a replica is missing", change: { availableReplicas: 1 }, expected: false },
    { name: "old replicas remain", change: { replicas: 3 }, expected: false },
    { name: "a step is open", change: { currentStepIndex: 0 }, expected: false },
    { name: "the new version is not stable", change: { stableRS: "y" }, expected: false },
  ];

  it.each(cases)("is $expected when $name", ({ change, expected }) => {
    expect(isHealthy(rollout, { ...healthy, ...change })).toBe(expected);
  });
});
