import { isHidden } from "./judge-measurement.ts";
import { resolveMetricsWithoutSecrets } from "./resolve-metric-args.ts";
import type { AnalysisRunSpec, MetricSpec } from "./types.ts";

/**
 * Returns the metrics of a stored run for people to read: with arguments filled in. If an argument is missing, or a
 * condition contains a secret, the metric stays as written.
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
