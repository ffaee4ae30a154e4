import {
  goNumber,
  type MessageRule,
  ofCanary,
  ofTarget,
  readGoNumber,
  readGoSeconds,
  splitName,
} from "./message-parts.ts";

const isCheck = { countsAsFailedCheck: true } as const;

/**
 * Checks of metrics: fluxcd/flagger pkg/controller/scheduler_metrics.go, runBuiltinMetricChecks and runMetricChecks.
 * A metric with a query of its own may have any name, also "success rate" or "request duration": only the form of the
 * numbers tells the built-in ones apart.
 */
export const metricRules: readonly MessageRule[] = [
  {
    pattern: new RegExp(
      `^Halt (?<canary>\\S+) advancement success rate (?<value>${goNumber})% (?<operator>[<>]) (?<threshold>${goNumber})%$`,
    ),
    read: ({ canary, value = "", operator, threshold = "" }) =>
      readHalt(canary, {
        metric: "request-success-rate",
        value: readGoNumber(value),
        operator,
        threshold: readGoNumber(threshold),
        unit: "percent",
      }),
  },
  {
    pattern: /^Halt (?<canary>\S+) advancement request duration (?<value>\S+) (?<operator>[<>]) (?<threshold>\S+)$/,
    read: ({ canary, value = "", operator, threshold = "" }) => {
      const [seconds, limit] = [readUnitSeconds(value), readUnitSeconds(threshold)];
      if (seconds === undefined || limit === undefined) return undefined;
      return readHalt(canary, {
        metric: "request-duration",
        value: seconds,
        operator,
        threshold: limit,
        unit: "seconds",
      });
    },
  },
  {
    // The value has two decimals always, which a name before it may not imitate by accident.
    pattern: new RegExp(
      `^Halt (?<canary>\\S+) advancement (?<metric>.+) (?<value>[-+]?(?:\\d+\\.\\d\\d|Inf)) (?<operator>[<>]) (?<threshold>${goNumber})$`,
      "s",
    ),
    read: ({ canary, metric = "", value = "", operator, threshold = "" }) =>
      readHalt(canary, {
        metric,
        value: readGoNumber(value),
        operator,
        threshold: readGoNumber(threshold),
        unit: undefined,
      }),
  },
  {
    pattern:
      /^Halt advancement no values found for (?<provider>\S+) metric (?<metric>.+?) probably (?<target>\S+) is not receiving traffic(?:: (?<detail>.*))?$/s,
    read: ({ provider, metric = "", target, detail }) => {
      const named = ofTarget(target);
      return named && { kind: "halt-no-values", metric, provider, ...named, detail, ...isCheck };
    },
  },
  {
    pattern: /^Halt advancement no values found for custom metric: (?<metric>.+?)(?:: (?<detail>.*))?$/s,
    read: ({ metric = "", detail }) => ({ kind: "halt-no-values", metric, provider: undefined, detail, ...isCheck }),
  },
  {
    pattern: /^Halt advancement no values found for metric: (?<metric>.+)$/s,
    read: ({ metric = "" }) => ({
      kind: "halt-no-values",
      metric,
      provider: undefined,
      detail: undefined,
      ...isCheck,
    }),
  },
  {
    pattern: /^Metric query failed for no usable metrics template and query were configured$/,
    read: () => ({
      kind: "metric-config-error",
      metric: undefined,
      detail: "no usable metrics template and query were configured",
      ...isCheck,
    }),
  },
  {
    pattern: /^Prometheus query failed: (?<detail>.*)$/s,
    read: ({ detail = "" }) => ({ kind: "metric-query-error", metric: undefined, detail, ...isCheck }),
  },
  {
    pattern: /^(?:Prometheus|Metric) query failed for (?<metric>.+?): (?<detail>.*)$/s,
    read: ({ metric, detail = "" }) => ({ kind: "metric-query-error", metric, detail, ...isCheck }),
  },
  {
    pattern:
      /^Metric template (?<template>\S+) (?<part>(?:secret \S+ |provider \S+ |query render )?error: )(?<detail>.*)$/s,
    read: ({ template, part = "", detail = "" }) => {
      const named = splitName(template);
      return (
        named && {
          kind: "metric-config-error",
          metric: undefined,
          template: named.name,
          templateNamespace: named.namespace,
          detail: `${part}${detail}`,
          ...isCheck,
        }
      );
    },
  },
  {
    // Both end the check, before or between metrics.
    pattern: /^(?<detail>Error (?:building Prometheus client for|fetching Knative service) .*)$/s,
    read: ({ detail = "" }) => ({ kind: "metric-config-error", metric: undefined, detail, ...isCheck }),
  },
];

type Halt = {
  metric: string;
  value: number;
  operator: string | undefined;
  threshold: number;
  unit: "percent" | "seconds" | undefined;
};

function readHalt(canary: string | undefined, { operator, ...halt }: Halt) {
  const named = ofCanary(canary);
  if (named === undefined || (operator !== "<" && operator !== ">")) return undefined;
  return { kind: "halt-metric", ...named, ...halt, operator, ...isCheck } as const;
}

/** Reads a duration that has a unit: a plain 0 is the number of another metric. */
function readUnitSeconds(text: string): number | undefined {
  return /[a-zµμ]$/.test(text) ? readGoSeconds(text) : undefined;
}
