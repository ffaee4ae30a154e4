import { USUAL_TRAFFIC } from "./flagger-metrics.ts";
import type { FlaggerScenario } from "./flagger-scenario-types.ts";

const COMMON = {
  namespace: "shopfront",
  replicas: 2,
  progressDeadlineSeconds: 60,
  baseline: USUAL_TRAFFIC,
  behaviours: [],
} satisfies Partial<FlaggerScenario>;

/** A release waits for a person before it gets any traffic. */
export const flaggerStart: FlaggerScenario = {
  ...COMMON,
  key: "flaggerStart",
  name: "wishlist",
  image: "registry.internal/shopfront/wishlist",
  version: "v0.14.2",
  analysis: { interval: "10s", threshold: 3, maxWeight: 50, stepWeight: 25 },
  gates: ["confirm-rollout"],
  script: [{ when: "healthy", release: "v0.15.0" }],
  expected: { phase: "Waiting", canaryWeight: 0, message: "Waiting for approval.", version: "v0.15.0" },
};

/** A release waits for a person before each step. */
export const flaggerTrafficGate: FlaggerScenario = {
  ...COMMON,
  key: "flaggerTrafficGate",
  name: "checkout-web",
  image: "registry.internal/shopfront/checkout-web",
  version: "v6.2.0",
  analysis: { interval: "10s", threshold: 5, stepWeights: [5, 25, 50, 80] },
  gates: ["confirm-traffic-increase"],
  script: [{ when: "healthy", release: "v6.3.0" }],
  expected: {
    phase: "Progressing",
    canaryWeight: 0,
    message: "New revision detected, progressing canary analysis.",
    version: "v6.3.0",
  },
};

/** A release got half of the traffic, and waits for a person before it is promoted; its checks go on. */
export const flaggerPromotion: FlaggerScenario = {
  ...COMMON,
  key: "flaggerPromotion",
  name: "basket",
  image: "registry.internal/shopfront/basket",
  version: "v4.0.3",
  analysis: { interval: "10s", threshold: 3, maxWeight: 50, stepWeight: 25, stepWeightPromotion: 50 },
  gates: ["confirm-promotion"],
  script: [{ when: "healthy", release: "v4.1.0" }],
  expected: {
    phase: "WaitingPromotion",
    canaryWeight: 0,
    iterations: -1,
    message: "Waiting for approval.",
    version: "v4.1.0",
  },
};
