import { dependencyErrors, latencyP99, successRate, USUAL } from "./metrics.ts";
import { analysisOf, istio } from "./scenario-objects.ts";
import type { Scenario } from "./scenario-types.ts";

const NAME = "customer-communication-preferences-aggregation-gateway";
const SLO = "customer-communication-preferences-service-level-objectives";
const DEPENDENCIES = "customer-communication-preferences-downstream-dependencies";
const PACE = { interval: "1s", count: 4, failureLimit: 1, inconclusiveLimit: 1 };
const SUCCESS = "success-ratio-of-preference-lookups-by-authenticated-customers";
const LATENCY = "ninety-ninth-percentile-latency-of-preference-lookups-in-milliseconds";
const ERRORS = "share-of-failed-calls-to-downstream-communication-providers";

/** Twelve steps and names near the limits of their kind; it waits for a person at the tenth step. */
export const long: Scenario = {
  key: "long",
  namespace: "customer-engagement-and-communications-platform",
  name: NAME,
  image: "registry.internal/customer-engagement-and-communications-platform/preferences-aggregation-gateway",
  version: "release-2026.10.4-build.18274",
  replicas: 4,
  hasSidecar: true,
  strategy: {
    ...istio(NAME),
    steps: [
      { setWeight: 1 },
      { pause: { duration: "1s" } },
      { setWeight: 5 },
      { analysis: analysisOf(NAME, SLO) },
      { setWeight: 10 },
      { pause: { duration: "1s" } },
      { setWeight: 25 },
      { analysis: analysisOf(NAME, SLO, DEPENDENCIES) },
      { setWeight: 50 },
      { pause: {} },
      { setWeight: 80 },
      { pause: { duration: "30s" } },
    ],
  },
  templates: [
    {
      name: SLO,
      metrics: [
        { ...successRate(PACE), name: SUCCESS },
        { ...latencyP99(PACE), name: LATENCY },
      ],
    },
    { name: DEPENDENCIES, metrics: [{ ...dependencyErrors(PACE), name: ERRORS }] },
  ],
  baseline: {
    [SUCCESS]: { center: 0.9935, spread: 0.004 },
    [LATENCY]: { center: 268, spread: 45 },
    [ERRORS]: { center: 0.0035, spread: 0.002 },
    ...USUAL,
  },
  behaviours: [],
  script: [{ when: "healthy", act: { release: "release-2026.11.0-build.18733" } }],
  expected: {
    phase: "Paused",
    message: "CanaryPauseStep",
    stepIndex: 9,
    pauseReasons: ["CanaryPauseStep"],
    isPromoted: false,
    canaryWeight: 50,
    revision: 2,
    run: {
      type: "Step",
      phase: "Successful",
      metrics: { [SUCCESS]: "Successful", [LATENCY]: "Successful", [ERRORS]: "Successful" },
    },
    runsLeft: { Successful: 2 },
  },
};
