import { dependencyErrors, latencyP99, successRate, USUAL } from "./metrics.ts";
import { analysisOf, istio } from "./scenario-objects.ts";
import type { Scenario } from "./scenario-types.ts";

const STEADY = { interval: "5s", count: 6, failureLimit: 1, inconclusiveLimit: 1 };
const WATCHING = { interval: "5s", failureLimit: 2, inconclusiveLimit: 2 };

type Common = Pick<Scenario, "namespace" | "name" | "version" | "replicas" | "strategy"> & Partial<Scenario>;

function ordinary(scenario: Common): Scenario {
  const image = `registry.internal/${scenario.namespace}/${scenario.name}`;
  return { image, templates: [], baseline: USUAL, behaviours: [], script: [], ...scenario };
}

/** Rollouts that make the lists look like a company's: three live ones, three that wait, two at rest. */
export const ordinaryScenarios: readonly Scenario[] = [
  ordinary({
    namespace: "storefront",
    name: "cart",
    version: "v1.18.2",
    replicas: 6,
    strategy: {
      ...istio("cart"),
      steps: [
        { setWeight: 10 },
        { pause: { duration: "15s" } },
        { setWeight: 30 },
        { analysis: analysisOf("cart", "cart-slo") },
        { setWeight: 60 },
        { pause: { duration: "20s" } },
        { setWeight: 90 },
        { pause: { duration: "10s" } },
      ],
    },
    templates: [{ name: "cart-slo", metrics: [successRate(STEADY), latencyP99(STEADY)] }],
    script: [{ when: "healthy", act: { release: "v1.19.0" } }],
    releaseEverySeconds: 90,
  }),
  ordinary({
    namespace: "search",
    name: "indexer",
    version: "v0.42.0",
    replicas: 4,
    strategy: {
      analysis: { ...analysisOf("indexer", "indexer-signals"), startingStep: 1 },
      steps: [
        { setWeight: 25 },
        { pause: { duration: "30s" } },
        { setWeight: 50 },
        { pause: { duration: "30s" } },
        { setWeight: 75 },
        { pause: { duration: "20s" } },
      ],
    },
    templates: [{ name: "indexer-signals", metrics: [successRate(WATCHING), dependencyErrors(WATCHING)] }],
    script: [{ when: "healthy", act: { release: "v0.43.0" } }],
    releaseEverySeconds: 150,
  }),
  ordinary({
    namespace: "storefront",
    name: "media",
    version: "v7.0.11",
    replicas: 3,
    strategy: {
      steps: [{ setWeight: 33 }, { pause: { duration: "40s" } }, { setWeight: 66 }, { pause: { duration: "40s" } }],
    },
    script: [{ when: "healthy", act: { release: "v7.0.12" } }],
    releaseEverySeconds: 240,
  }),
  ordinary({
    namespace: "platform",
    name: "gateway",
    version: "v3.14.1",
    replicas: 5,
    strategy: {
      ...istio("gateway"),
      steps: [{ setWeight: 5 }, { pause: {} }, { setWeight: 50 }, { pause: { duration: "30s" } }],
    },
    script: [{ when: "healthy", act: { release: "v3.15.0" } }],
    expected: {
      phase: "Paused",
      message: "CanaryPauseStep",
      stepIndex: 1,
      pauseReasons: ["CanaryPauseStep"],
      isPromoted: false,
      canaryWeight: 5,
      revision: 2,
    },
  }),
  ordinary({
    namespace: "storefront",
    name: "recommendations",
    version: "v2.3.0",
    replicas: 4,
    strategy: {
      steps: [{ setWeight: 25 }, { pause: { duration: "5s" } }, { setWeight: 50 }, { pause: {} }, { setWeight: 75 }],
    },
    script: [{ when: "healthy", act: { release: "v2.4.0" } }],
    expected: {
      phase: "Paused",
      message: "CanaryPauseStep",
      stepIndex: 3,
      pauseReasons: ["CanaryPauseStep"],
      isPromoted: false,
      revision: 2,
    },
  }),
  ordinary({
    namespace: "platform",
    name: "feature-flags",
    version: "v1.6.0",
    replicas: 3,
    strategy: { steps: [{ setWeight: 40 }, { pause: { duration: "60s" } }, { setWeight: 80 }] },
    script: [
      { when: "healthy", act: { release: "v1.6.1" } },
      { when: "progressing", act: "pause" },
    ],
    expected: { phase: "Paused", message: "manually paused", stepIndex: 1, isPromoted: false, revision: 2 },
  }),
  ordinary({
    namespace: "payments",
    name: "fraud-scoring",
    version: "v9.4.2",
    replicas: 3,
    strategy: { steps: [{ setWeight: 20 }, { pause: {} }] },
    expected: { phase: "Healthy", stepIndex: 2, isPromoted: true, revision: 1 },
  }),
  ordinary({
    namespace: "search",
    name: "suggest",
    version: "v1.0.27",
    replicas: 2,
    strategy: { steps: [{ setWeight: 50 }, { pause: { duration: "3s" } }] },
    script: [{ when: "healthy", act: { release: "v1.0.28" } }],
    expected: { phase: "Healthy", stepIndex: 2, isPromoted: true, revision: 2 },
  }),
];
