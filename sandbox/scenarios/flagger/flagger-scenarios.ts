import { USUAL_TRAFFIC } from "./flagger-metrics.ts";
import type { FlaggerScenario } from "./flagger-scenario-types.ts";

/** Three releases were promoted without a gate; nothing waits. */
export const flaggerHealthy: FlaggerScenario = {
  key: "flaggerHealthy",
  namespace: "shopfront",
  name: "profile",
  image: "registry.internal/shopfront/profile",
  version: "v1.8.0",
  replicas: 3,
  analysis: { interval: "10s", threshold: 3, stepWeights: [10, 30, 60], stepWeightPromotion: 50 },
  gates: [],
  progressDeadlineSeconds: 60,
  baseline: USUAL_TRAFFIC,
  behaviours: [],
  script: [
    { when: "healthy", release: "v1.9.0" },
    { when: "healthy", release: "v1.9.1" },
    { when: "healthy", release: "v1.10.0" },
  ],
  expected: {
    phase: "Succeeded",
    canaryWeight: 0,
    message: "Canary analysis completed successfully, promotion finished.",
    version: "v1.10.0",
  },
};

const FAILED_MESSAGE = "Canary analysis failed, Deployment scaled to zero.";
const FAILING = {
  namespace: "shopfront",
  replicas: 2,
  analysis: { interval: "10s", threshold: 2, maxWeight: 60, stepWeight: 20 },
  gates: [],
  progressDeadlineSeconds: 60,
  baseline: USUAL_TRAFFIC,
} satisfies Partial<FlaggerScenario>;

/** Checks fail at 20 %, then Flagger rolls back. */
export const flaggerHalted: FlaggerScenario = {
  ...FAILING,
  key: "flaggerHalted",
  name: "search-api",
  image: "registry.internal/shopfront/search-api",
  version: "v2.7.1",
  behaviours: [
    {
      version: "v2.8.0",
      metrics: {
        "request-success-rate": { center: 97.1, spread: 0.9 },
        "request-duration": { center: 640, spread: 90 },
      },
    },
  ],
  script: [{ when: "healthy", release: "v2.8.0" }],
  expected: { phase: "Failed", canaryWeight: 0, message: FAILED_MESSAGE, version: "v2.8.0" },
};

/** The primary fails during its promotion, and Flagger 1.43 sends all traffic to it: an outage. */
export const flaggerPrimaryFails143: FlaggerScenario = {
  ...FAILING,
  key: "flaggerPrimaryFails143",
  name: "orders",
  image: "registry.internal/shopfront/orders",
  version: "v5.5.0",
  flaggerVersion: "1.43.0",
  isPrimaryBroken: true,
  isRecreated: true,
  progressDeadlineSeconds: 20,
  behaviours: [],
  script: [{ when: "healthy", release: "v5.6.0" }],
  expected: { phase: "Failed", canaryWeight: 0, message: FAILED_MESSAGE, version: "v5.6.0" },
};

/** The primary fails during its promotion, and Flagger 1.44 leaves all traffic with the canary. */
export const flaggerPrimaryFails144: FlaggerScenario = {
  ...FAILING,
  key: "flaggerPrimaryFails144",
  name: "invoices",
  image: "registry.internal/shopfront/invoices",
  version: "v3.1.4",
  isPrimaryBroken: true,
  isRecreated: true,
  progressDeadlineSeconds: 20,
  behaviours: [],
  script: [{ when: "healthy", release: "v3.2.0" }],
  expected: { phase: "Failed", canaryWeight: 100, message: FAILED_MESSAGE, version: "v3.2.0" },
};

/** After a failed release comes another while the primary restarts: Flagger takes it over without analysing it. */
export const flaggerSwallowed: FlaggerScenario = {
  ...FAILING,
  key: "flaggerSwallowed",
  name: "reviews",
  image: "registry.internal/shopfront/reviews",
  version: "v1.2.0",
  behaviours: [{ version: "v1.3.0", metrics: { "dependency-errors": { center: 3.4, spread: 0.8 } } }],
  script: [
    { when: "healthy", release: "v1.3.0" },
    { when: "failed", release: "v1.3.1", isPrimaryRestarting: true },
  ],
  expected: { phase: "Failed", canaryWeight: 0, message: FAILED_MESSAGE, version: "v1.3.1" },
};

const GATED = {
  namespace: "shopfront",
  replicas: 2,
  progressDeadlineSeconds: 60,
  baseline: USUAL_TRAFFIC,
  behaviours: [],
} satisfies Partial<FlaggerScenario>;

/** A release waits for a person before it gets any traffic. */
export const flaggerStart: FlaggerScenario = {
  ...GATED,
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
  ...GATED,
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
  ...GATED,
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
