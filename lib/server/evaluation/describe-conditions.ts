import { explainMetric, explainRun } from "#lib/domain/argo/analysis/explain.ts";
import { createMeasurementExplainer } from "#lib/domain/argo/analysis/explain-measurement.ts";
import { explainStart } from "#lib/domain/argo/analysis/explain-start.ts";
import { readableMetrics } from "#lib/domain/argo/analysis/readable-metrics.ts";
import { type Thresholds, thresholdsOf } from "#lib/domain/argo/analysis/thresholds.ts";
import type { AnalysisPhase, Measurement, MetricResult } from "#lib/domain/argo/analysis/types.ts";
import { parseRunSpec } from "#lib/domain/argo/objects/analysis-run-object.ts";

/** What a metric's conditions draw, and why it has its phase. */
export type DescribedMetric = { readonly drawn: Thresholds; readonly explanation: string | undefined };

export type DescribedConditions = {
  readonly metrics: ReadonlyMap<string, DescribedMetric>;
  /** Why the run has its phase. */
  readonly explanation: string | undefined;
  /** When its measuring begins, where that is not at once. */
  readonly start: string | undefined;
};

/** What a page says of a stored run beyond its rows. Specs come from strangers: nothing of this is done on a main thread. */
export function describeConditions(input: {
  readonly storedSpec: unknown;
  readonly results: readonly MetricResult[];
  readonly phase: AnalysisPhase | undefined;
  readonly message: string;
  readonly startingStep: number | undefined;
}): DescribedConditions {
  const { storedSpec, results, phase, message, startingStep } = input;
  const spec = parseRunSpec(storedSpec);
  const readable = spec === undefined ? new Map<string, never>() : readableMetrics(spec);
  return {
    metrics: new Map(
      results.map((result) => {
        const rules = readable.get(result.name);
        const explanation = rules === undefined ? undefined : explainMetric({ metric: rules, result });
        return [result.name, { drawn: thresholdsOf(rules?.successCondition, rules?.failureCondition), explanation }];
      }),
    ),
    explanation:
      spec === undefined || phase === undefined
        ? undefined
        : explainRun(spec, { phase, message, metricResults: results }),
    start: explainStart({ startingStep, metrics: [...readable.values()] }),
  };
}

/** Why each measurement has its phase, by the rules of its run as stored; undefined where they do not say. */
export function explainEach(input: {
  readonly storedSpec: unknown;
  readonly measurements: readonly (Measurement & { readonly metric: string })[];
}): readonly (string | undefined)[] {
  const spec = parseRunSpec(input.storedSpec);
  if (spec === undefined) return [];
  const explainers = new Map(
    [...readableMetrics(spec)].map(([name, metric]) => [name, createMeasurementExplainer(metric)] as const),
  );
  return input.measurements.map(({ metric, ...measurement }) => explainers.get(metric)?.(measurement));
}
