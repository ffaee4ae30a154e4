import { describe, expect, it } from "vitest";
import { computeDesiredCounts } from "./replica-counts.ts";
import type { CanaryStep, RolloutStatus } from "./rollout-types.ts";

type Case = {
  name: string;
  replicas?: number;
  steps: CanaryStep[];
  status?: RolloutStatus;
  routed?: boolean;
  expected: { canary: number; stable: number };
};

const UNDER_WAY: RolloutStatus = { stableRS: "old", currentPodHash: "new", currentStepIndex: 0 };

const cases: Case[] = [
  { name: "first deployment", steps: [{ setWeight: 20 }], status: {}, expected: { canary: 10, stable: 0 } },
  { name: "weight 0", steps: [{ setWeight: 0 }], expected: { canary: 0, stable: 10 } },
  { name: "weight 20 shares", steps: [{ setWeight: 20 }], expected: { canary: 2, stable: 8 } },
  { name: "weight 1 keeps one canary, and surges", steps: [{ setWeight: 1 }], expected: { canary: 1, stable: 10 } },
  { name: "weight 99 keeps one stable, and surges", steps: [{ setWeight: 99 }], expected: { canary: 10, stable: 1 } },
  { name: "weight 100", steps: [{ setWeight: 100 }], expected: { canary: 10, stable: 0 } },
  { name: "one replica surges", replicas: 1, steps: [{ setWeight: 50 }], expected: { canary: 1, stable: 1 } },
  { name: "no replicas at all", replicas: 0, steps: [{ setWeight: 50 }], expected: { canary: 0, stable: 0 } },
  { name: "before any setWeight", steps: [{ pause: {} }], expected: { canary: 0, stable: 10 } },
  {
    name: "past the last step",
    steps: [{ setWeight: 20 }],
    status: { ...UNDER_WAY, currentStepIndex: 1 },
    expected: { canary: 10, stable: 0 },
  },
  {
    name: "aborted",
    steps: [{ setWeight: 20 }],
    status: { ...UNDER_WAY, abort: true },
    expected: { canary: 0, stable: 10 },
  },
  {
    name: "promoted in full",
    steps: [{ setWeight: 20 }],
    status: { ...UNDER_WAY, promoteFull: true },
    expected: { canary: 10, stable: 0 },
  },
  { name: "routed rounds up", steps: [{ setWeight: 21 }], routed: true, expected: { canary: 3, stable: 10 } },
  {
    name: "routed with a fixed scale",
    steps: [{ setCanaryScale: { replicas: 4 } }, { setWeight: 10 }],
    status: { ...UNDER_WAY, currentStepIndex: 1 },
    routed: true,
    expected: { canary: 4, stable: 10 },
  },
  {
    name: "routed with the scale lifted again",
    steps: [{ setCanaryScale: { weight: 70 } }, { setWeight: 10 }, { setCanaryScale: { matchTrafficWeight: true } }],
    status: { ...UNDER_WAY, currentStepIndex: 2 },
    routed: true,
    expected: { canary: 1, stable: 10 },
  },
];

describe("computeDesiredCounts", () => {
  it.each(cases)("$name", ({ replicas, steps, status, routed, expected }) => {
    const counts = computeDesiredCounts({
      metadata: { name: "a", uid: "u", resourceVersion: "1", creationTimestamp: "2026-01-05T09:00:00Z" },
      spec: {
        replicas: replicas ?? 10,
        selector: {},
        template: { spec: { containers: [] } },
        strategy: { canary: { steps, ...(routed === true ? { trafficRouting: {} } : {}) } },
      },
      status: status ?? UNDER_WAY,
    });
    expect(counts).toEqual(expected);
  });
});
