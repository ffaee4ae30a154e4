import { parseGoDuration } from "#lib/util/duration.ts";
import { intValue } from "./int-or-string.ts";
import type { MetricProvider, MetricSpec } from "./types.ts";

const providerKeys = [
  "prometheus",
  "job",
  "web",
  "wavefront",
  "kayenta",
  "datadog",
  "newRelic",
  "cloudWatch",
  "graphite",
  "influxdb",
  "skywalking",
] as const;

/**
 * Returns the first problem of a run's metrics in upstream's words, or undefined. Arguments must be resolved.
 * Conditions are not compiled here: a broken one shows up as an Error measurement.
 * Mirrors argo-rollouts utils/analysis/factory.go `ValidateMetrics` and `ValidateMetric`.
 */
export function validateMetrics(metrics: readonly MetricSpec[]): string | undefined {
  if (metrics.length === 0) return "no metrics specified";
  const names = new Set<string>();
  for (const [index, metric] of metrics.entries()) {
    const error = names.has(metric.name) ? `duplicate name '${metric.name}'` : validateMetric(metric);
    if (error !== undefined) return `metrics[${index}]: ${error}`;
    names.add(metric.name);
  }
  return undefined;
}

export function validateMetric(metric: MetricSpec): string | undefined {
  return validateLimits(metric) ?? validateTimes(metric) ?? validateProvider(metric.provider ?? {});
}

function validateLimits(metric: MetricSpec): string | undefined {
  const failureLimit = intValue(metric.failureLimit);
  const successLimit = intValue(metric.consecutiveSuccessLimit);
  const inconclusiveLimit = intValue(metric.inconclusiveLimit);
  const count = intValue(metric.count);
  if (successLimit < 0) return "consecutiveSuccessLimit must be >= 0";
  if (failureLimit < -1) return "failureLimit must be >= 0, or -1 to be disabled";
  if (successLimit === 0 && failureLimit === -1) {
    return "failureLimit and consecutiveSuccessLimit cannot both be disabled";
  }
  if (inconclusiveLimit < 0) return "inconclusiveLimit must be >= 0";
  if (intValue(metric.consecutiveErrorLimit) < 0) return "consecutiveErrorLimit must be >= 0";
  if (count <= 0) return undefined;
  if (failureLimit >= 0 && count < failureLimit + successLimit) {
    const sum = `failureLimit + consecutiveSuccessLimit (${failureLimit} + ${successLimit})`;
    return `count (${count}) must be >= ${sum} if both >= 0`;
  }
  if (failureLimit < 0 && count < successLimit) return "count must be >= consecutiveSuccessLimit";
  return count < inconclusiveLimit ? "count must be >= inconclusiveLimit" : undefined;
}

function validateTimes({ count, interval = "", initialDelay = "" }: MetricSpec): string | undefined {
  if (intValue(count) > 1 && interval === "") return "interval must be specified when count > 1";
  const parsedInterval = interval === "" ? undefined : parseGoDuration(interval);
  if (parsedInterval !== undefined && "error" in parsedInterval) {
    return `invalid interval string: ${parsedInterval.error}`;
  }
  const parsedDelay = initialDelay === "" ? undefined : parseGoDuration(initialDelay);
  return parsedDelay !== undefined && "error" in parsedDelay
    ? `invalid startDelay string: ${parsedDelay.error}`
    : undefined;
}

function validateProvider(provider: MetricProvider): string | undefined {
  const plugins = provider.plugin;
  const pluginCount = typeof plugins === "object" && plugins !== null ? Object.keys(plugins).length : 0;
  const providers = providerKeys.filter((key) => isPresent(provider[key])).length + pluginCount;
  if (providers === 0) return "no provider specified";
  return providers > 1 ? "multiple providers specified" : undefined;
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
