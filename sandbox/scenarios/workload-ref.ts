import { dependencyErrors, successRate, USUAL } from "./metrics.ts";
import { analysisOf } from "./scenario-objects.ts";
import type { Scenario } from "./scenario-types.ts";

const PACE = { interval: "1s", count: 6, failureLimit: 1, inconclusiveLimit: 1 };

/**
 * The pod template is in a Deployment that the Rollout has taken over: images are set there, and undo works there.
 * Halfway, after a successful analysis, the release waits for a person.
 */
export const workloadRef: Scenario = {
  key: "workloadRef",
  namespace: "logistics",
  name: "tracking",
  image: "registry.internal/logistics/tracking",
  version: "v3.2.7",
  replicas: 4,
  workload: { scaleDown: "onsuccess" },
  strategy: {
    steps: [
      { setWeight: 25 },
      { analysis: analysisOf("tracking", "tracking-slo") },
      { setWeight: 50 },
      { pause: {} },
      { setWeight: 75 },
      { pause: { duration: "5s" } },
    ],
  },
  templates: [{ name: "tracking-slo", metrics: [successRate(PACE), dependencyErrors(PACE)] }],
  baseline: USUAL,
  behaviours: [],
  script: [{ when: "healthy", act: { release: "v3.3.0" } }],
  expected: {
    phase: "Paused",
    message: "CanaryPauseStep",
    stepIndex: 3,
    pauseReasons: ["CanaryPauseStep"],
    isPromoted: false,
    revision: 2,
    run: {
      type: "Step",
      phase: "Successful",
      metrics: { "success-rate": "Successful", "dependency-errors": "Successful" },
    },
    runsLeft: { Successful: 1 },
  },
};
