import { formatGoFloat } from "#lib/expr/go-number.ts";
import { formatDurationMs } from "#lib/util/duration.ts";
import { imageTag, type MetricAnswer } from "#sandbox/controllers/metric-provider.ts";
import { analysisOf, type Canary, canaryLabel, type Metric, targetLabel } from "./canary-types.ts";
import type { FlaggerContext } from "./flagger-context.ts";
import { readTarget } from "./target-workload.ts";
import { providerOf } from "./traffic-router.ts";

const BUILT_IN = ["request-success-rate", "request-duration"];

/**
 * Checks the metrics of one round: the built-in ones and those with a query of their own, and then those with a
 * template. Returns the text of the first check that fails (pkg/controller/scheduler_metrics.go of flagger 1.44.0).
 */
export function findFailedMetric(context: FlaggerContext, canary: Canary): string | undefined {
  const { metrics = [] } = analysisOf(canary);
  for (const metric of metrics) {
    const isBuiltIn = BUILT_IN.includes(metric.name);
    const failure = isBuiltIn || hasQuery(metric) ? checkPrometheus(context, canary, metric) : undefined;
    if (failure !== undefined) {
      return failure;
    }
  }
  for (const metric of metrics) {
    const failure = metric.templateRef === undefined ? findUnusable(metric) : checkTemplate(context, canary, metric);
    if (failure !== undefined) {
      return failure;
    }
  }
  return undefined;
}

/**
 * Returns why the metrics servers cannot be used when a Canary is initialised; undefined if all can
 * (checkMetricProviderAvailability).
 */
export function findMissingTemplate({ store }: FlaggerContext, canary: Canary): string | undefined {
  for (const { templateRef } of analysisOf(canary).metrics ?? []) {
    const problem = templateRef === undefined ? undefined : findTemplateProblem(store, canary, templateRef);
    if (problem !== undefined) {
      return `metric template ${problem}`;
    }
  }
  return undefined;
}

type TemplateRef = NonNullable<Metric["templateRef"]>;

function findTemplateProblem(
  store: FlaggerContext["store"],
  { metadata }: Canary,
  { name, namespace = "" }: TemplateRef,
): string | undefined {
  const place = namespace === "" ? metadata.namespace : namespace;
  return store.get("metrictemplates", place, name) === undefined
    ? `${name}.${place} error: metrictemplate.flagger.app ${JSON.stringify(name)} not found`
    : undefined;
}

function checkPrometheus(context: FlaggerContext, canary: Canary, metric: Metric): string | undefined {
  const answer = measure(context, canary, metric);
  const { name } = metric;
  if ("failure" in answer) {
    return BUILT_IN.includes(name)
      ? `Prometheus query failed: running query failed: request failed: ${answer.failure}`
      : `Prometheus query failed for ${name}: request failed: ${answer.failure}`;
  }
  if ("noData" in answer) {
    if (!BUILT_IN.includes(name)) {
      return `Halt advancement no values found for metric: ${name}`;
    }
    const halted = `Halt advancement no values found for ${providerOf(canary)} metric ${name}`;
    const cause = name === "request-success-rate" ? ": running query failed: no values found" : "";
    return `${halted} probably ${targetLabel(canary)} is not receiving traffic${cause}`;
  }
  const halt = `Halt ${canaryLabel(canary)} advancement`;
  switch (name) {
    case "request-success-rate": {
      const limits = metric.thresholdRange ?? { min: metric.threshold ?? 0 };
      const broken = findBroken(answer.value, limits);
      return (
        broken && `${halt} success rate ${answer.value.toFixed(2)}% ${broken.sign} ${formatGoFloat(broken.limit)}%`
      );
    }
    case "request-duration": {
      const { min, max } = metric.thresholdRange ?? { max: metric.threshold ?? 0 };
      const whole = { ...limit("min", min, Math.trunc), ...limit("max", max, Math.trunc) };
      const broken = findBroken(Math.trunc(answer.value), whole);
      const value = formatDurationMs(Math.trunc(answer.value));
      return broken && `${halt} request duration ${value} ${broken.sign} ${formatDurationMs(broken.limit)}`;
    }
    default:
      return describeBroken(canary, metric, answer.value);
  }
}

function checkTemplate(context: FlaggerContext, canary: Canary, metric: Metric): string | undefined {
  const { name, templateRef } = metric;
  const missing = templateRef === undefined ? undefined : findTemplateProblem(context.store, canary, templateRef);
  if (missing !== undefined) {
    return `Metric template ${missing}`;
  }
  const answer = measure(context, canary, metric);
  if ("failure" in answer) {
    return `Metric query failed for ${name}: request failed: ${answer.failure}`;
  }
  return "noData" in answer
    ? `Halt advancement no values found for custom metric: ${name}: no values found`
    : describeBroken(canary, metric, answer.value);
}

function findUnusable(metric: Metric): string | undefined {
  return BUILT_IN.includes(metric.name) || hasQuery(metric)
    ? undefined
    : "Metric query failed for no usable metrics template and query were configured";
}

function hasQuery({ query = "" }: Metric): boolean {
  return query !== "";
}

function describeBroken(canary: Canary, metric: Metric, value: number): string | undefined {
  const broken = findBroken(value, metric.thresholdRange ?? { max: metric.threshold ?? 0 });
  const limits = broken && `${value.toFixed(2)} ${broken.sign} ${formatGoFloat(broken.limit)}`;
  return limits && `Halt ${canaryLabel(canary)} advancement ${metric.name} ${limits}`;
}

/** Returns the bound that the value breaks; a value on the bound passes. */
function findBroken(
  value: number,
  { min, max }: { min?: number; max?: number },
): { sign: "<" | ">"; limit: number } | undefined {
  if (min !== undefined && value < min) {
    return { sign: "<", limit: min };
  }
  return max !== undefined && value > max ? { sign: ">", limit: max } : undefined;
}

function limit(key: "min" | "max", value: number | undefined, round: (value: number) => number) {
  return value === undefined ? {} : { [key]: round(value) };
}

function measure(context: FlaggerContext, canary: Canary, { name }: Metric): MetricAnswer {
  const { metadata } = canary;
  const image = readTarget(context, canary).spec.template.spec.containers[0]?.image ?? "";
  const { namespace } = metadata;
  return context.ask({ namespace, rollout: metadata.name, version: imageTag(image), metric: name });
}
