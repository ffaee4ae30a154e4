import { dependencyErrors, latencyP99, successRate, USUAL } from "./metrics.ts";
import { analysisOf } from "./scenario-objects.ts";
import type { Scenario } from "./scenario-types.ts";

const PACE = { interval: "2s", count: 10, failureLimit: 1, inconclusiveLimit: 2 };

/** Has no traffic router: replicas follow the weights. The second failed measurement aborts the release. */
export const failed: Scenario = {
  key: "failed",
  namespace: "search",
  name: "query-api",
  image: "registry.internal/search/query-api",
  version: "v5.2.3",
  replicas: 8,
  strategy: {
    steps: [
      { setWeight: 25 },
      { pause: { duration: "2s" } },
      { analysis: analysisOf("query-api", "query-api-slo") },
      { setWeight: 50 },
      { pause: { duration: "10s" } },
    ],
  },
  templates: [{ name: "query-api-slo", metrics: [successRate(PACE), latencyP99(PACE), dependencyErrors(PACE)] }],
  baseline: USUAL,
  behaviours: [
    {
      version: "v5.3.0",
      metrics: {
        "dependency-errors": { center: 0.008, spread: 0.0015, at: { 4: 0.0417, 6: 0.0593 } },
        "success-rate": { center: 0.961, spread: 0.005 },
      },
    },
  ],
  script: [{ when: "healthy", act: { release: "v5.3.0" } }],
  expected: {
    phase: "Degraded",
    message:
      'RolloutAborted: Rollout aborted update to revision 2: Step-based analysis phase error/failed: Metric "dependency-errors" assessed Failed due to failed (2) > failureLimit (1)',
    stepIndex: 0,
    pauseReasons: [],
    isPromoted: false,
    revision: 2,
    run: {
      type: "Step",
      phase: "Failed",
      metrics: { "success-rate": "Successful", "latency-p99": "Successful", "dependency-errors": "Failed" },
    },
    runsLeft: { Failed: 1 },
  },
};
