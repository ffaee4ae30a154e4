import { assessRun } from "#lib/domain/argo/analysis/assess-run.ts";
import { evaluateResult } from "#lib/domain/argo/analysis/evaluate-result.ts";
import { resolveMetricsWithoutSecrets } from "#lib/domain/argo/analysis/resolve-metric-args.ts";
import type { MetricResult } from "#lib/domain/argo/analysis/types.ts";
import { checkVerdict } from "#lib/domain/argo/analysis/verdict-check.ts";
import type { RecordedMeasurement, RecordedRun, VerdictCheck } from "#lib/domain/argo/analysis/verdict-check-types.ts";
import { isTypedValueError } from "#lib/expr/typed-value.ts";
import { describeConditions, explainEach } from "./describe-conditions.ts";

/** What a worker can be asked for. Each is a pure function whose arguments and result can be sent between threads. */
export const evaluationTasks = {
  evaluate: (input: Parameters<typeof evaluateResult>[0]): ReturnType<typeof evaluateResult> | { misfit: string } => {
    try {
      return evaluateResult(input);
    } catch (error) {
      if (isTypedValueError(error)) return { misfit: error.message };
      throw error;
    }
  },
  assess: assessWholeRun,
  explain: explainEach,
  describe: describeConditions,
  replay: (run: RecordedRun, parts: readonly MeasurementPart[] = []): VerdictCheck => {
    const measurements = Map.groupBy(parts, ({ metric }) => metric);
    return checkVerdict({
      ...run,
      metrics: run.metrics.map((metric) => {
        const own = (measurements.get(metric.name) ?? []).flatMap((part) => part.measurements);
        return { ...metric, measurements: [...metric.measurements, ...own] };
      }),
    });
  },
} as const satisfies Record<string, (input: never, parts?: never) => unknown>;

export type EvaluationTasks = typeof evaluationTasks;

/** Some measurements of a recorded run, which go to the worker before it, a few at a time. */
export type MeasurementPart = { readonly metric: string; readonly measurements: readonly RecordedMeasurement[] };

function assessWholeRun(input: {
  readonly spec: Parameters<typeof assessRun>[0]["spec"];
  readonly metricResults: readonly MetricResult[];
  readonly dryRun?: readonly string[];
}): ReturnType<typeof summarize> {
  const { spec, metricResults, dryRun } = input;
  const resolved = resolveMetricsWithoutSecrets(spec.metrics, spec.args);
  if ("error" in resolved) return unresolvedRun(resolved.error);
  return summarize(
    assessRun({
      spec: { ...spec, metrics: resolved.value },
      metricResults,
      ...(dryRun === undefined ? {} : { dryRun: new Set(dryRun) }),
    }),
  );
}

function summarize({ phase, message, metrics, runSummary, dryRunSummary }: ReturnType<typeof assessRun>) {
  return { phase, message, metrics, runSummary, dryRunSummary };
}

function unresolvedRun(error: string): ReturnType<typeof summarize> {
  const none = { count: 0, successful: 0, failed: 0, inconclusive: 0, error: 0 };
  const message = `Unable to resolve metric arguments: ${error}`;
  return { phase: "Error", message, metrics: {}, runSummary: none, dryRunSummary: none };
}
