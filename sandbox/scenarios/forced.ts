import { dependencyErrors, successRate, USUAL } from "./metrics.ts";
import { analysisOf } from "./scenario-objects.ts";
import type { Scenario } from "./scenario-types.ts";

const PACE = { interval: "1s", count: 5, failureLimit: 1, inconclusiveLimit: 1 };

/** A defective controller: every measurement fails, but the run is recorded as Successful and the release completes. */
export const forced: Scenario = {
  key: "forced",
  namespace: "search",
  name: "autocomplete",
  image: "registry.internal/search/autocomplete",
  version: "v2.2.1",
  replicas: 2,
  strategy: {
    steps: [{ setWeight: 50 }, { analysis: analysisOf("autocomplete", "autocomplete-slo") }],
  },
  templates: [{ name: "autocomplete-slo", metrics: [successRate(PACE), dependencyErrors(PACE)] }],
  baseline: USUAL,
  behaviours: [
    {
      version: "v2.3.0",
      metrics: {
        "success-rate": { center: 0.81, spread: 0.02 },
        "dependency-errors": { center: 0.12, spread: 0.03 },
      },
      forcedVerdict: "Successful",
    },
  ],
  script: [{ when: "healthy", act: { release: "v2.3.0" } }],
  expected: {
    phase: "Healthy",
    stepIndex: 2,
    isPromoted: true,
    revision: 2,
    run: {
      type: "Step",
      phase: "Successful",
      metrics: { "success-rate": "Successful", "dependency-errors": "Successful" },
    },
    runsLeft: { Successful: 1 },
  },
};
