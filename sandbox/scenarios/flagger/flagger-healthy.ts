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
