import { dependencyErrors, latencyP99, successRate, USUAL } from "./metrics.ts";
import { analysisOf, istio } from "./scenario-objects.ts";
import type { Scenario } from "./scenario-types.ts";

const PACE = { interval: "2s", failureLimit: 2, inconclusiveLimit: 2 };

/**
 * A background run watches the whole release. While the release waits for a person at 50 %, latency drifts between the
 * two conditions and the run ends Inconclusive. Both pause reasons then apply at once.
 */
export const inconclusiveBackground: Scenario = {
  key: "inconclusiveBackground",
  namespace: "storefront",
  name: "catalog",
  image: "registry.internal/storefront/catalog",
  version: "v4.1.7",
  replicas: 6,
  strategy: {
    ...istio("catalog"),
    analysis: { ...analysisOf("catalog", "catalog-golden-signals"), startingStep: 1 },
    steps: [
      { setWeight: 10 },
      { pause: { duration: "4s" } },
      { setWeight: 50 },
      { pause: {} },
      { setWeight: 80 },
      { pause: { duration: "15s" } },
    ],
  },
  templates: [
    { name: "catalog-golden-signals", metrics: [successRate(PACE), latencyP99(PACE), dependencyErrors(PACE)] },
  ],
  baseline: USUAL,
  behaviours: [
    {
      version: "v4.2.0",
      attempt: 0,
      metrics: {
        "latency-p99": { center: 371, spread: 24, at: { 8: 447.9, 10: 512.35, 11: 538.04 } },
        "success-rate": { center: 0.984, spread: 0.006 },
      },
    },
  ],
  script: [{ when: "healthy", act: { release: "v4.2.0" } }],
  expected: {
    phase: "Paused",
    message: "CanaryPauseStep",
    stepIndex: 3,
    pauseReasons: ["CanaryPauseStep", "InconclusiveAnalysisRun"],
    isPromoted: false,
    canaryWeight: 50,
    revision: 2,
    run: {
      type: "Background",
      phase: "Inconclusive",
      metrics: { "success-rate": "Successful", "latency-p99": "Inconclusive", "dependency-errors": "Successful" },
    },
    runsLeft: { Inconclusive: 1 },
  },
};
