import { latencyP99, successRate, USUAL } from "./metrics.ts";
import type { Scenario } from "./scenario-types.ts";

const WATCHING = { interval: "10s", failureLimit: 1, inconclusiveLimit: 0 };

/**
 * Old and new version run side by side in an experiment that lasts until a person ends it, and both are measured alike.
 * In the first experiment, the new version's third measurement meets neither condition: it is Inconclusive, and the
 * release pauses. The controller has by itself started a second experiment, which no one asked for and which runs well.
 * Ending it would complete the step in spite of the pause. A person must decide whether the first result counts: abort,
 * skip the step, or let the second one continue.
 */
export const experiment: Scenario = {
  key: "experiment",
  namespace: "search",
  name: "ranking",
  image: "registry.internal/search/ranking",
  version: "v11.4.0",
  replicas: 4,
  strategy: {
    steps: [
      { setWeight: 25 },
      {
        experiment: {
          templates: [
            { name: "baseline", specRef: "stable", replicas: 1 },
            { name: "candidate", specRef: "canary", replicas: 1 },
          ],
          analyses: ["candidate", "baseline"].map((name) => ({
            name,
            templateName: "ranking-compare",
            args: [
              { name: "service", value: "ranking" },
              { name: "canary-hash", value: `{{templates.${name}.podTemplateHash}}` },
            ],
          })),
          scaleDownDelaySeconds: 5,
        },
      },
      { setWeight: 50 },
      { pause: { duration: "10s" } },
    ],
  },
  templates: [{ name: "ranking-compare", metrics: [successRate(WATCHING), latencyP99(WATCHING)] }],
  baseline: USUAL,
  behaviours: [
    {
      version: "v11.5.0",
      attempt: 0,
      metrics: { "latency-p99": { center: 371, spread: 20, at: { 2: 486.12 } } },
    },
  ],
  script: [{ when: "healthy", act: { release: "v11.5.0" } }],
  expected: {
    phase: "Paused",
    message: "InconclusiveExperiment",
    stepIndex: 1,
    pauseReasons: ["InconclusiveExperiment"],
    isPromoted: false,
    revision: 2,
    experiments: [
      { phase: "Inconclusive", analyses: { candidate: "Inconclusive", baseline: "Running" } },
      { phase: "Running", analyses: { candidate: "Running", baseline: "Running" } },
    ],
  },
};
