import { latencyP99, successRate, USUAL } from "./metrics.ts";
import { analysisOf, istio } from "./scenario-objects.ts";
import type { Scenario } from "./scenario-types.ts";

const WATCHING = { interval: "2s", failureLimit: 2, inconclusiveLimit: 1 };

/**
 * One replica behind a traffic router: canary and stable have one pod each at any weight, so no step waits for pods.
 * The background run ends Inconclusive during a timed pause. When the pause is over, the controller completes the
 * remaining steps and promotes, in spite of the pause for the Inconclusive run (a controller defect).
 */
export const singleReplica: Scenario = {
  key: "singleReplica",
  namespace: "platform",
  name: "scheduler",
  image: "registry.internal/platform/scheduler",
  version: "v2.0.4",
  replicas: 1,
  strategy: {
    ...istio("scheduler"),
    analysis: { ...analysisOf("scheduler", "scheduler-signals"), startingStep: 1 },
    steps: [
      { setWeight: 10 },
      { pause: { duration: "4s" } },
      { setWeight: 50 },
      { pause: { duration: "12s" } },
      { setWeight: 80 },
      { pause: { duration: "5s" } },
    ],
  },
  templates: [{ name: "scheduler-signals", metrics: [successRate(WATCHING), latencyP99(WATCHING)] }],
  baseline: USUAL,
  behaviours: [
    {
      version: "v2.1.0",
      attempt: 0,
      metrics: { "latency-p99": { center: 352, spread: 30, at: { 3: 447.9, 4: 512.36 } } },
    },
  ],
  script: [{ when: "healthy", act: { release: "v2.1.0" } }],
  expected: {
    phase: "Healthy",
    stepIndex: 6,
    pauseReasons: [],
    isPromoted: true,
    canaryWeight: 0,
    revision: 2,
    run: {
      type: "Background",
      phase: "Inconclusive",
      metrics: { "success-rate": "Successful", "latency-p99": "Inconclusive" },
    },
    runsLeft: { Inconclusive: 1 },
  },
};

/**
 * The same as `singleReplica`, for a rollout that Gatehouse holds in the demo: without it, the controller promotes in
 * spite of the Inconclusive run, as `expected` says. Its pause is longer, because a busy machine records late: the hold
 * must be placed before the pause is over.
 */
export const held: Scenario = {
  ...singleReplica,
  key: "held",
  name: "planner",
  image: "registry.internal/platform/planner",
  strategy: {
    ...singleReplica.strategy,
    ...istio("planner"),
    steps: (singleReplica.strategy?.steps ?? []).with(3, { pause: { duration: "28s" } }),
    analysis: { ...analysisOf("planner", "planner-signals"), startingStep: 1 },
  },
  templates: singleReplica.templates.map((template) => ({ ...template, name: "planner-signals" })),
};
