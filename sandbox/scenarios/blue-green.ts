import { dependencyErrors, latencyP99, successRate, USUAL } from "./metrics.ts";
import { analysisOf } from "./scenario-objects.ts";
import type { Scenario } from "./scenario-types.ts";

const BEFORE = { interval: "1s", count: 8, failureLimit: 1, inconclusiveLimit: 1 };
const AFTER = { interval: "1s", count: 10, failureLimit: 1, inconclusiveLimit: 1 };

/**
 * The new version runs behind the preview Service while the old one serves. Its pre-promotion analysis is Successful,
 * and a person must promote. Then the active Service switches, a second analysis runs, and the old version goes.
 */
export const blueGreen: Scenario = {
  key: "blueGreen",
  namespace: "accounts",
  name: "login",
  image: "registry.internal/accounts/login",
  version: "v6.1.3",
  replicas: 3,
  blueGreen: {
    activeService: "login-active",
    previewService: "login-preview",
    autoPromotionEnabled: false,
    scaleDownDelaySeconds: 20,
    abortScaleDownDelaySeconds: 10,
    prePromotionAnalysis: analysisOf("login-preview", "login-smoke"),
    postPromotionAnalysis: analysisOf("login-active", "login-slo"),
  },
  templates: [
    { name: "login-smoke", metrics: [successRate(BEFORE), latencyP99(BEFORE)] },
    { name: "login-slo", metrics: [successRate(AFTER), dependencyErrors(AFTER)] },
  ],
  baseline: USUAL,
  behaviours: [{ version: "v6.2.0", metrics: { "latency-p99": { center: 331, spread: 29 } } }],
  script: [{ when: "healthy", act: { release: "v6.2.0" } }],
  expected: {
    phase: "Paused",
    message: "BlueGreenPause",
    stepIndex: -1,
    pauseReasons: ["BlueGreenPause"],
    isPromoted: false,
    revision: 2,
    run: {
      type: "PrePromotion",
      phase: "Successful",
      metrics: { "success-rate": "Successful", "latency-p99": "Successful" },
    },
    runsLeft: { Successful: 1 },
  },
};
