import { latencyP99, successRate, USUAL } from "./metrics.ts";
import { analysisOf } from "./scenario-objects.ts";
import type { Behaviour, Scenario } from "./scenario-types.ts";

const QUICK = { interval: "150ms", count: 12, failureLimit: 0, inconclusiveLimit: 0 };
const FAILING: Behaviour["metrics"] = { "success-rate": { center: 0.972, spread: 0.004, at: { 2: 0.8423 } } };
const UNCLEAR: Behaviour["metrics"] = { "latency-p99": { center: 361, spread: 12, at: { 3: 508.81 } } };

/**
 * Ten releases in a row, played fast: successful ones, two that failed and were retried, and two that a person
 * approved. Each takes more measurements than the controller keeps. With small limits, the cluster drops the runs of
 * the first releases before the last one ends.
 */
export const history: Scenario = {
  key: "history",
  namespace: "payments",
  name: "ledger",
  image: "registry.internal/payments/ledger",
  version: "v3.0.0",
  replicas: 2,
  revisionHistoryLimit: 4,
  strategy: {
    steps: [{ setWeight: 50 }, { analysis: analysisOf("ledger", "ledger-slo") }],
  },
  templates: [{ name: "ledger-slo", metrics: [successRate(QUICK), latencyP99(QUICK)] }],
  baseline: USUAL,
  behaviours: [
    { version: "v3.1.1", attempt: 0, metrics: FAILING },
    { version: "v3.2.1", attempt: 0, metrics: UNCLEAR },
    { version: "v3.4.0", attempt: 0, metrics: FAILING },
    { version: "v3.5.0", attempt: 0, metrics: UNCLEAR },
  ],
  script: [
    { when: "healthy", act: { release: "v3.1.0" } },
    { when: "healthy", act: { release: "v3.1.1" } },
    { when: "aborted", act: "retry" },
    { when: "healthy", act: { release: "v3.2.0" } },
    { when: "healthy", act: { release: "v3.2.1" } },
    { when: "inconclusive-step", act: "accept-step" },
    { when: "healthy", act: { release: "v3.3.0" } },
    { when: "healthy", act: { release: "v3.4.0" } },
    { when: "aborted", act: "retry" },
    { when: "healthy", act: { release: "v3.5.0" } },
    { when: "inconclusive-step", act: "accept-step" },
    { when: "healthy", act: { release: "v3.6.0" } },
    { when: "healthy", act: { release: "v3.6.1" } },
    { when: "healthy", act: { release: "v3.7.0" } },
  ],
  expected: {
    phase: "Healthy",
    stepIndex: 2,
    isPromoted: true,
    revision: 11,
    run: {
      type: "Step",
      phase: "Successful",
      metrics: { "success-rate": "Successful", "latency-p99": "Successful" },
    },
    runsLeft: { Successful: 4, Failed: 1, Inconclusive: 1 },
  },
};
