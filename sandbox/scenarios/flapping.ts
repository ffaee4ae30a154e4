import type { MetricSpec } from "#lib/domain/argo/analysis/types.ts";
import { dependencyErrors, latencyP99, PROMETHEUS, successRate, USUAL } from "./metrics.ts";
import { analysisOf } from "./scenario-objects.ts";
import type { Behaviour, Scenario } from "./scenario-types.ts";

const PACE = { interval: "500ms", count: 12, failureLimit: 2, inconclusiveLimit: 3 };

/**
 * Only a failure condition: a value that cannot be compared, such as NaN, does not meet it and so counts as success.
 */
const saturation: MetricSpec = {
  name: "saturation",
  interval: "500ms",
  count: 12,
  failureCondition: "result[0] > 0.9",
  provider: { prometheus: { address: PROMETHEUS, query: 'max(container_saturation{service="{{args.service}}"})' } },
};

/** An absent queue gives an empty result, which this condition expects. */
const queueDepth: MetricSpec = {
  name: "queue-depth",
  interval: "500ms",
  count: 12,
  successCondition: "len(result) == 0 || all(result, # < 100)",
  provider: { prometheus: { address: PROMETHEUS, query: 'sum(queue_messages{service="{{args.service}}"})' } },
};

/** Some of every kind, and not too many of any. */
const UNSTEADY: Behaviour["metrics"] = {
  "success-rate": {
    center: 0.981,
    spread: 0.006,
    at: { 1: Number.NaN, 3: 0.8812, 5: "no-data", 7: Number.NaN, 9: 0.9233, 10: 0.8934 },
  },
  "latency-p99": { center: 803, spread: 60, at: { 0: 312.4 } },
  "dependency-errors": { center: 0.006, spread: 0.002, at: { 2: "unreachable", 6: Number.NaN, 8: 0.0187 } },
  saturation: { center: 0.62, spread: 0.1, at: { 0: Number.NaN, 4: Number.NaN, 8: Number.NaN } },
  "queue-depth": { center: 40, spread: 15, at: { 2: "no-data", 3: "no-data", 11: "no-data" } },
};

/**
 * Unreliable metrics: NaN, empty results, errors, and a metric that runs dry and fails. They come from four merged
 * templates: one is cluster-wide, and another template names one. The first run ends with Error, as the provider fails
 * twice in a row. After a retry, the second run survives all this and is Successful.
 */
export const flapping: Scenario = {
  key: "flapping",
  namespace: "storefront",
  name: "notifications",
  image: "registry.internal/storefront/notifications",
  version: "v4.1.7",
  replicas: 3,
  strategy: {
    steps: [
      { setWeight: 30 },
      {
        analysis: {
          ...analysisOf("notifications", "notifications-slo", "notifications-trial"),
          templates: [
            { templateName: "notifications-slo" },
            { templateName: "notifications-trial" },
            { templateName: "dependency-health", clusterScope: true },
          ],
        },
      },
      { setWeight: 60 },
      { pause: { duration: "1s" } },
    ],
  },
  templates: [
    { name: "notifications-slo", metrics: [successRate(PACE)], templates: [{ templateName: "notifications-load" }] },
    { name: "notifications-load", metrics: [saturation, queueDepth] },
    { name: "notifications-trial", metrics: [latencyP99(PACE)], dryRun: [{ metricName: "^latency" }] },
    {
      name: "dependency-health",
      isClusterScoped: true,
      metrics: [{ ...dependencyErrors(PACE), consecutiveErrorLimit: 1 }],
      measurementRetention: [{ metricName: "error", limit: 20 }],
    },
  ],
  baseline: USUAL,
  behaviours: [
    {
      version: "v4.2.0",
      attempt: 0,
      metrics: {
        ...UNSTEADY,
        "dependency-errors": { center: 0.006, spread: 0.002, at: { 1: "unreachable", 2: "unreachable" } },
      },
    },
    { version: "v4.2.0", attempt: 1, metrics: UNSTEADY },
  ],
  script: [
    { when: "healthy", act: { release: "v4.2.0" } },
    { when: "aborted", act: "retry" },
  ],
  expected: {
    phase: "Healthy",
    stepIndex: 4,
    isPromoted: true,
    revision: 2,
    run: {
      type: "Step",
      phase: "Successful",
      metrics: {
        "success-rate": "Successful",
        saturation: "Successful",
        "queue-depth": "Successful",
        "latency-p99": "Failed",
        "dependency-errors": "Successful",
      },
    },
    runsLeft: { Error: 1, Successful: 1 },
  },
};
