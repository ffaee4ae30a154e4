import { describe, expect, it } from "vitest";
import { type ConformanceCase, loadCases } from "#test/fixtures/conformance/load-cases.ts";
import { computePhase, isHealthy } from "./rollout-phase.ts";
import type { Rollout, RolloutSpec, RolloutStatus } from "./rollout-types.ts";

type PhaseCase = ConformanceCase & {
  rollout: { spec: RolloutSpec; status?: RolloutStatus };
  expect: { phase: string; message: string };
};

/** Messages of checks that only a client makes, before the controller's own computation. */
const CLIENT_ONLY = /^waiting for rollout (spec update to be observed|to unpause)/;

const cases = loadCases<PhaseCase>("rollout-phase").filter(
  ({ rollout, expect: expected }) =>
    rollout.spec.strategy !== undefined && rollout.status?.phase === undefined && !CLIENT_ONLY.test(expected.message),
);

describe("computePhase", () => {
  it.each(cases)("agrees with upstream's $id", ({ rollout, expect: expected }) => {
    const { phase, message = "" } = computePhase(rollout.spec, rollout.status ?? {});
    expect({ phase, message }).toEqual(expected);
  });

  it.each([
    ["canary", 6],
    ["blueGreen", 3],
  ] as const)("has cases of %s to agree with", (strategy, atLeast) => {
    const found = cases.filter(({ rollout }) => rollout.spec.strategy[strategy] !== undefined);
    expect(found.length).toBeGreaterThanOrEqual(atLeast);
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

describe("isHealthy for blue-green", () => {
  const rollout: Rollout = {
    metadata: { name: "a", uid: "u", resourceVersion: "1", creationTimestamp: "2026-01-05T09:00:00Z", generation: 3 },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: "a" } },
      template: { spec: { containers: [] } },
      strategy: { blueGreen: { activeService: "active", previewService: "preview" } },
    },
    status: { observedGeneration: "3" },
  };
  const healthy: RolloutStatus = {
    replicas: 4,
    updatedReplicas: 2,
    availableReplicas: 2,
    currentPodHash: "x",
    blueGreen: { activeSelector: "x", previewSelector: "x" },
  };
  const cases: { name: string; change: RolloutStatus; expected: boolean }[] = [
    { name: "both Services select the new version, with old replicas left", change: {}, expected: true },
    { name: "a replica is missing", change: { availableReplicas: 1 }, expected: false },
    {
      name: "the active Service is old",
      change: { blueGreen: { activeSelector: "y", previewSelector: "x" } },
      expected: false,
    },
    { name: "the preview Service is old", change: { blueGreen: { activeSelector: "x" } }, expected: false },
  ];

  it.each(cases)("is $expected when $name", ({ change, expected }) => {
    expect(isHealthy(rollout, { ...healthy, ...change })).toBe(expected);
  });
});
