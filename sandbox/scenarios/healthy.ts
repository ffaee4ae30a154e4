import { dependencyErrors, latencyP99, successRate, USUAL } from "./metrics.ts";
import { analysisOf, istio } from "./scenario-objects.ts";
import type { Scenario } from "./scenario-types.ts";

const PACE = { interval: "1s", count: 6, failureLimit: 1, inconclusiveLimit: 1 };

/** Two releases passed their analysis; nothing waits. */
export const healthy: Scenario = {
  key: "healthy",
  namespace: "platform",
  name: "identity",
  image: "registry.internal/platform/identity",
  version: "v1.11.4",
  replicas: 4,
  strategy: {
    ...istio("identity"),
    steps: [
      { setWeight: 25 },
      { analysis: analysisOf("identity", "identity-slo") },
      { setWeight: 60 },
      { pause: { duration: "2s" } },
    ],
  },
  templates: [{ name: "identity-slo", metrics: [successRate(PACE), latencyP99(PACE), dependencyErrors(PACE)] }],
  baseline: { ...USUAL, "latency-p99": { center: 142, spread: 18 } },
  behaviours: [],
  script: [
    { when: "healthy", act: { release: "v1.12.0" } },
    { when: "healthy", act: { release: "v1.13.0" } },
  ],
  expected: {
    phase: "Healthy",
    stepIndex: 4,
    isPromoted: true,
    canaryWeight: 0,
    revision: 3,
    run: {
      type: "Step",
      phase: "Successful",
      metrics: { "success-rate": "Successful", "latency-p99": "Successful", "dependency-errors": "Successful" },
    },
    runsLeft: { Successful: 2 },
  },
};
