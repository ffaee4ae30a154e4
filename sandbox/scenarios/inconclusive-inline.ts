import { conversion, dependencyErrors, latencyP99, successRate, USUAL } from "./metrics.ts";
import { analysisOf, istio } from "./scenario-objects.ts";
import type { Scenario } from "./scenario-types.ts";

const PACE = { interval: "2s", count: 30, failureLimit: 2, inconclusiveLimit: 3 };

/**
 * The success rate drops into the range that neither condition covers. With the fourth such measurement, the thirteenth
 * of all, the run is Inconclusive and the release waits at 40 %. A second run would be Successful.
 */
export const inconclusiveInline: Scenario = {
  key: "inconclusiveInline",
  namespace: "payments",
  name: "checkout",
  image: "registry.internal/payments/checkout",
  version: "v2.8.0",
  replicas: 5,
  hasSidecar: true,
  links: { "on-call": "https://wiki.example.com/teams/payments" },
  strategy: {
    ...istio("checkout"),
    steps: [
      { setWeight: 20 },
      { pause: { duration: "3s" } },
      { setWeight: 40 },
      { analysis: analysisOf("checkout", "checkout-slo", "checkout-business") },
      { setWeight: 70 },
      { pause: { duration: "10s" } },
    ],
  },
  templates: [
    { name: "checkout-slo", metrics: [successRate(PACE), latencyP99(PACE), dependencyErrors(PACE)] },
    { name: "checkout-business", metrics: [conversion({ interval: "5s", count: 12, failureLimit: 2 })] },
  ],
  baseline: USUAL,
  behaviours: [
    {
      version: "v2.9.0",
      attempt: 0,
      metrics: {
        "success-rate": {
          center: 0.962,
          spread: 0.009,
          at: { 4: 0.9461, 7: 0.9388, 10: 0.9312, 12: 0.9274 },
        },
        "latency-p99": { center: 352, spread: 38, at: { 9: 418.27 } },
      },
    },
    {
      version: "v2.9.0",
      attempt: 1,
      metrics: { "success-rate": { center: 0.978, spread: 0.006 } },
    },
  ],
  script: [{ when: "healthy", act: { release: "v2.9.0" } }],
  expected: {
    phase: "Paused",
    message: "InconclusiveAnalysisRun",
    stepIndex: 3,
    pauseReasons: ["InconclusiveAnalysisRun"],
    isPromoted: false,
    canaryWeight: 40,
    revision: 2,
    run: {
      type: "Step",
      phase: "Inconclusive",
      metrics: {
        "success-rate": "Inconclusive",
        "latency-p99": "Successful",
        "dependency-errors": "Successful",
        conversion: "Successful",
      },
    },
    runsLeft: { Inconclusive: 1 },
  },
};
