import { USUAL_TRAFFIC } from "./flagger-metrics.ts";
import type { FlaggerScenario } from "./flagger-scenario-types.ts";

const FAILED_MESSAGE = "Canary analysis failed, Deployment scaled to zero.";
const COMMON = {
  namespace: "shopfront",
  replicas: 2,
  analysis: { interval: "10s", threshold: 2, maxWeight: 60, stepWeight: 20 },
  gates: [],
  progressDeadlineSeconds: 60,
  baseline: USUAL_TRAFFIC,
} satisfies Partial<FlaggerScenario>;

/** Checks fail at 20 %, then Flagger rolls back. */
export const flaggerHalted: FlaggerScenario = {
  ...COMMON,
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
  ...COMMON,
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
  ...COMMON,
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
  ...COMMON,
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
