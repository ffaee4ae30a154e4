import type { MetricSpec } from "#lib/domain/argo/analysis/types.ts";
import type { Series } from "./scenario-types.ts";

export type Pace = Pick<MetricSpec, "interval" | "count" | "failureLimit" | "inconclusiveLimit" | "initialDelay">;

export const PROMETHEUS = "http://prometheus.monitoring.svc:9090";
const REQUESTS = 'http_requests_total{service="{{args.service}}",pod_template_hash="{{args.canary-hash}}"';

/** Returns the share of requests without a server error: good from 95 %, bad below 90 %, undecided between. */
export function successRate(pace: Pace): MetricSpec {
  return {
    name: "success-rate",
    ...pace,
    successCondition: "result[0] >= 0.95",
    failureCondition: "result[0] < 0.90",
    provider: {
      prometheus: {
        address: PROMETHEUS,
        query: `sum(rate(${REQUESTS},code!~"5.."}[2m])) / sum(rate(${REQUESTS}}[2m]))`,
      },
    },
  };
}

/** Returns a latency in milliseconds: good up to 400, bad above 650, undecided between. */
export function latencyP99(pace: Pace): MetricSpec {
  return {
    name: "latency-p99",
    ...pace,
    successCondition: "result[0] <= 400",
    failureCondition: "result[0] > 650",
    provider: {
      prometheus: {
        address: PROMETHEUS,
        query: `1000 * histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket{service="{{args.service}}",pod_template_hash="{{args.canary-hash}}"}[2m])))`,
      },
    },
  };
}

/** Returns the share of failed calls to dependencies: good up to 1 %, bad above 3 %, undecided between. */
export function dependencyErrors(pace: Pace): MetricSpec {
  return {
    name: "dependency-errors",
    ...pace,
    successCondition: "result[0] <= 0.01",
    failureCondition: "result[0] > 0.03",
    provider: {
      prometheus: {
        address: PROMETHEUS,
        query: `sum(rate(rpc_client_errors_total{service="{{args.service}}"}[2m])) / sum(rate(rpc_client_calls_total{service="{{args.service}}"}[2m]))`,
      },
    },
  };
}

/** Returns a business figure from a web endpoint: only a minimum, so no undecided range. */
export function conversion(pace: Pace): MetricSpec {
  return {
    name: "conversion",
    ...pace,
    successCondition: "result >= 0.021",
    provider: {
      web: { url: "http://insights.storefront.svc/conversion?service={{args.service}}", jsonPath: "{$.rate}" },
    },
  };
}

export const USUAL: Record<string, Series> = {
  "success-rate": { center: 0.9935, spread: 0.004 },
  "latency-p99": { center: 268, spread: 45 },
  "dependency-errors": { center: 0.0035, spread: 0.002 },
  conversion: { center: 0.0262, spread: 0.0015 },
};
