import { isHidden } from "./judge-measurement.ts";
import { resolveMetricsWithoutSecrets } from "./resolve-metric-args.ts";
import type { AnalysisRunSpec, MetricSpec } from "./types.ts";

/**
 * The metrics of a stored run as people should read them: with arguments filled in. Where an argument is missing, or
 * a secret stands in a condition, the metric stays as it was written.
 */
export function readableMetrics(spec: AnalysisRunSpec): ReadonlyMap<string, MetricSpec> {
  return new Map(
    spec.metrics.map((metric) => {
      const resolved = resolveMetricsWithoutSecrets([metric], spec.args);
      const [filled] = "error" in resolved ? [] : resolved.value;
      return [metric.name, filled === undefined || isHidden(filled) ? metric : filled] as const;
    }),
  );
}
