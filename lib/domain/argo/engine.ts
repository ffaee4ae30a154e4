import { isTypedValueError } from "#lib/expr/typed-value.ts";
import { assessMetric } from "./analysis/assess-metric.ts";
import { assessRun, type RunAssessment } from "./analysis/assess-run.ts";
import { evaluateResult, type ResultEvaluation } from "./analysis/evaluate-result.ts";
import { composeRun, expandTemplates } from "./analysis/merge-templates.ts";
import { createSecretlessResolver, resolveAllMetricArgs } from "./analysis/resolve-metric-args.ts";
import { buildRolloutArgs } from "./analysis/rollout-args.ts";
import type { AnalysisRunSpec, MetricResult } from "./analysis/types.ts";

/** Argo's analysis without a cluster: judges and composes a request's data, in the terms of Argo's resources. */
export const argoEngine = {
  evaluate,
  assessRun: assessWholeRun,
  assessMetric,
  expandTemplates,
  buildRolloutArgs,
  composeRun,
};

/** Does the same as `evaluateResult`; `misfit` says why the result's value does not fit its type. */
function evaluate(input: Parameters<typeof evaluateResult>[0]): ResultEvaluation | { misfit: string } {
  try {
    return evaluateResult(input);
  } catch (error) {
    if (isTypedValueError(error)) return { misfit: error.message };
    throw error;
  }
}

/**
 * Does the same as `assessRun`, with the arguments of its metrics filled in. One that cannot be filled in gives phase
 * Error.
 */
function assessWholeRun(input: {
  readonly spec: AnalysisRunSpec;
  readonly metricResults: readonly MetricResult[];
  readonly dryRun?: readonly string[];
}): Omit<RunAssessment, "metricResults"> {
  const { spec, metricResults, dryRun } = input;
  const resolved = resolveAllMetricArgs(spec.metrics, createSecretlessResolver(spec.args));
  if ("error" in resolved) return unresolvedRun(resolved.error);
  return summarize(
    assessRun({
      spec: { ...spec, metrics: resolved.value },
      metricResults,
      ...(dryRun === undefined ? {} : { dryRun: new Set(dryRun) }),
    }),
  );
}

function summarize({
  phase,
  message,
  metrics,
  runSummary,
  dryRunSummary,
}: RunAssessment): Omit<RunAssessment, "metricResults"> {
  return { phase, message, metrics, runSummary, dryRunSummary };
}

function unresolvedRun(error: string): Omit<RunAssessment, "metricResults"> {
  const none = { count: 0, successful: 0, failed: 0, inconclusive: 0, error: 0 };
  const message = `Unable to resolve metric arguments: ${error}`;
  return { phase: "Error", message, metrics: {}, runSummary: none, dryRunSummary: none };
}
