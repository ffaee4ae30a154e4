import { isHidden } from "./judge-measurement.ts";
import { createSecretlessResolver } from "./resolve-metric-args.ts";
import type { AnalysisRunSpec, MetricSpec } from "./types.ts";

/**
 * Returns the metrics of a stored run for people to read: with arguments filled in, by the name that the controller
 * gives them. If an argument is missing, the metric stays as written; so do conditions that contain a secret.
 */
export function readableMetrics(spec: AnalysisRunSpec): ReadonlyMap<string, MetricSpec> {
  const resolve = createSecretlessResolver(spec.args);
  return new Map(
    spec.metrics.map((metric) => {
      const resolved = resolve(metric);
      const filled = "error" in resolved ? undefined : resolved.value;
      const shown = filled === undefined ? metric : isHidden(filled) ? { ...filled, ...conditionsOf(metric) } : filled;
      return [shown.name, shown] as const;
    }),
  );
}

function conditionsOf({ successCondition, failureCondition }: MetricSpec): Pick<MetricSpec, "successCondition"> {
  return {
    ...(successCondition === undefined ? {} : { successCondition }),
    ...(failureCondition === undefined ? {} : { failureCondition }),
  };
}
