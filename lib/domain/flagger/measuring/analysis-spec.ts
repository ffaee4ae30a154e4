import { z } from "zod";
import type { RunTemplate } from "#lib/domain/delivery/measuring.ts";
import type { CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import { analysisOf, iterationsOf, strategyOf, thresholdOf } from "#lib/domain/flagger/objects/canary-spec.ts";
import { ObjectMeta, optional, type Parsed, parseKubeObject } from "#lib/domain/kube/kube-object.ts";

/** A metric of a Canary's analysis: fluxcd/flagger pkg/apis/flagger/v1beta1 CanaryMetric. */
export type AnalysisMetric = {
  name: string;
  /** Inclusive; milliseconds for `request-duration`, percent for `request-success-rate`. */
  thresholdRange?: { min?: number | undefined; max?: number | undefined } | undefined;
  /** Deprecated: a minimum for `request-success-rate`, a maximum for all others. */
  threshold?: number | undefined;
  templateRef?: { name: string; namespace?: string | undefined } | undefined;
  /** Deprecated PromQL of its own. */
  query?: string | undefined;
};

/** The part of a Canary's `spec.analysis` that its check rounds follow from. */
export type AnalysisSpec = {
  metrics: readonly AnalysisMetric[];
  /** Go duration. */
  interval?: string | undefined;
  iterations?: number | undefined;
  stepWeight?: number | undefined;
  stepWeights?: readonly number[] | undefined;
  maxWeight?: number | undefined;
  mirror?: boolean | undefined;
  /** Requests that take part in an A/B test; undefined or empty for other strategies. */
  match?: readonly unknown[] | undefined;
};

/** One evaluation of a metric. `none`: it has neither a template nor a query, an error. */
export type MetricCheck = { label: string; metric: AnalysisMetric; how: "builtin" | "query" | "template" | "none" };

const builtins: readonly string[] = ["request-success-rate", "request-duration"];

export function isBuiltin({ name }: Pick<AnalysisMetric, "name">): boolean {
  return builtins.includes(name);
}

/** Names each metric by its name; a name that occurs again gets a number, such as `errors (2)`. */
export function labelMetrics(metrics: readonly AnalysisMetric[]): { label: string; metric: AnalysisMetric }[] {
  const seen = new Map<string, number>();
  return metrics.map((metric) => {
    const count = (seen.get(metric.name) ?? 0) + 1;
    seen.set(metric.name, count);
    return { label: count === 1 ? metric.name : `${metric.name} (${count})`, metric };
  });
}

/**
 * Lists the checks of a round in upstream's order: first the built-in metrics and the queries, then the templates
 * (pkg/controller/scheduler.go runAnalysis; scheduler_metrics.go). One metric may be checked twice.
 */
export function listChecks(metrics: readonly AnalysisMetric[]): MetricCheck[] {
  const labelled = labelMetrics(metrics);
  const first = labelled.flatMap(({ label, metric }): MetricCheck[] => [
    ...(isBuiltin(metric) ? [{ label, metric, how: "builtin" as const }] : []),
    ...(metric.query ? [{ label, metric, how: "query" as const }] : []),
  ]);
  const second = labelled.flatMap(({ label, metric }): MetricCheck[] => {
    if (metric.templateRef !== undefined) return [{ label, metric, how: "template" }];
    return isBuiltin(metric) || metric.query ? [] : [{ label, metric, how: "none" }];
  });
  return [...first, ...second];
}

/** A Flagger `MetricTemplate`; its spec is kept as it is. */
const MetricTemplateObject = z.looseObject({
  kind: z.literal("MetricTemplate"),
  metadata: ObjectMeta,
  spec: optional(z.looseObject({})).transform((spec) => spec ?? {}),
});

/** Parses a MetricTemplate, which names no other templates. */
export function parseMetricTemplate(object: unknown): Parsed<RunTemplate> {
  const parsed = parseKubeObject(MetricTemplateObject, object);
  if (!parsed.ok) return parsed;
  const { metadata, spec } = parsed.value;
  return { ok: true, value: { metadata, spec, listTemplateRefs: () => [] } };
}

const Count = optional(z.number());

const Metric = z.looseObject({
  name: z.string(),
  interval: optional(z.string()),
  thresholdRange: optional(z.looseObject({ min: Count, max: Count })),
  threshold: Count,
  templateRef: optional(z.looseObject({ name: z.string(), namespace: optional(z.string()) })),
  query: optional(z.string()),
});

/** The rules of a run as they are stored: those of a Canary's analysis that its checks follow from. */
const RunRules = z.looseObject({
  metrics: z.array(Metric),
  interval: optional(z.string()),
  threshold: Count,
  iterations: Count,
  stepWeight: Count,
  stepWeights: optional(z.array(z.number())),
  maxWeight: Count,
  mirror: optional(z.boolean()),
  match: optional(z.array(z.unknown())),
});
export type RunRules = z.infer<typeof RunRules> & AnalysisSpec;

/** Reads stored rules; undefined if they cannot be read. */
export function readRunRules(stored: unknown): RunRules | undefined {
  return RunRules.safeParse(stored).data;
}

/**
 * Returns the rules that Flagger applies to a Canary, as a run is stored with them: without webhooks and alerts, with the
 * rounds and the threshold that count. Undefined without an analysis.
 */
export function rulesOf(canary: CanaryObject): RunRules | undefined {
  const analysis = analysisOf(canary);
  if (analysis === undefined) return undefined;
  const { interval, stepWeight, stepWeights, maxWeight, mirror, match } = analysis;
  const isByRequest = strategyOf(canary) === "ABTesting";
  return readRunRules({
    metrics: analysis.metrics ?? [],
    ...(interval === "" ? {} : { interval }),
    threshold: thresholdOf(canary),
    iterations: iterationsOf(canary),
    ...{ stepWeight, stepWeights, maxWeight, mirror },
    match: isByRequest ? match : [],
  });
}
