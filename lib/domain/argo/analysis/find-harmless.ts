import { effectiveCount, int32Value, intValue } from "./int-or-string.ts";
import { isSelfJudging } from "./judge-measurement.ts";
import { prepareRun } from "./reconcile-run.ts";
import type { AnalysisRunSpec, MetricSpec } from "./types.ts";

export type HarmlessMetric = { metric: string; why: string };

/**
 * Finds the metrics that can neither fail nor become Inconclusive, whatever they measure (errors aside). Dry runs decide
 * nothing by intention and are left out, and so are metrics whose provider decides by itself. Follows `assessMetric`
 * and `evaluateResult`.
 */
export function findHarmless(rules: AnalysisRunSpec): HarmlessMetric[] {
  const prepared = prepareRun(rules);
  if ("error" in prepared) return [];
  return prepared.spec.metrics.flatMap((metric) => {
    const why = prepared.dryRun.has(metric.name) ? undefined : explainHarmless(metric);
    return why === undefined ? [] : [{ metric: metric.name, why }];
  });
}

function explainHarmless(metric: MetricSpec): string | undefined {
  const { successCondition = "", failureCondition = "", consecutiveSuccessLimit } = metric;
  if (isSelfJudging(metric)) return undefined;
  if (successCondition === "" && failureCondition === "") return "It has no condition, so every value counts as good.";
  if (isConstant(successCondition, "true") && isConstant(failureCondition, "false"))
    return "Its conditions are constant, so every value counts as good.";
  // A missed success limit ends the metric as Failed or Inconclusive.
  if (intValue(consecutiveSuccessLimit) > 0) return undefined;
  const count = effectiveCount(metric);
  // Below zero it would need a success limit, or the spec is refused.
  const failures = int32Value(metric.failureLimit);
  const canAsk = successCondition !== "" && failureCondition !== "";
  if (canAsk && (count === undefined || int32Value(metric.inconclusiveLimit) < count)) return undefined;
  if (count === undefined || failures < count) return undefined;
  return `It measures ${count === 1 ? "once" : `${count} times`} and tolerates ${failures} bad ${failures === 1 ? "value" : "values"}.`;
}

/** An absent condition decides nothing, like a constant one. */
function isConstant(condition: string, value: "true" | "false"): boolean {
  return condition === "" || condition.trim() === value;
}
