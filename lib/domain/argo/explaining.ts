import type {
  Conditions,
  DescribedRun,
  ExplainingProvider,
  StoredMeasurements,
  StoredRun,
} from "#lib/domain/delivery/explaining.ts";
import { explainMetric, explainRun } from "./analysis/explain.ts";
import { createMeasurementExplainer } from "./analysis/explain-measurement.ts";
import { explainStart } from "./analysis/explain-start.ts";
import { readableMetrics } from "./analysis/readable-metrics.ts";
import { thresholdsOf } from "./analysis/thresholds.ts";
import { parseRunSpec } from "./objects/analysis-run-object.ts";

export const argoExplaining: ExplainingProvider = {
  describeRun,
  explainMeasurements,
  readConditions,
  drawConditions: ({ successCondition, failureCondition }) => thresholdsOf(successCondition, failureCondition),
};

function describeRun({ rules: stored, metrics, phase, message, startingStep }: StoredRun): DescribedRun {
  const spec = parseRunSpec(stored);
  const readable = spec === undefined ? new Map<string, never>() : readableMetrics(spec);
  return {
    metrics: new Map(
      metrics.map((result) => {
        const rules = readable.get(result.name);
        const explanation = rules === undefined ? undefined : explainMetric({ metric: rules, result });
        return [result.name, { drawn: thresholdsOf(rules?.successCondition, rules?.failureCondition), explanation }];
      }),
    ),
    explanation:
      spec === undefined || phase === undefined
        ? undefined
        : explainRun(spec, { phase, message, metricResults: metrics }),
    start: explainStart({ startingStep, metrics: [...readable.values()] }),
  };
}

function explainMeasurements({ rules, measurements }: StoredMeasurements): readonly (string | undefined)[] {
  const spec = parseRunSpec(rules);
  if (spec === undefined) return [];
  const explainers = new Map(
    [...readableMetrics(spec)].map(([name, metric]) => [name, createMeasurementExplainer(metric)] as const),
  );
  return measurements.map(({ metric, ...measurement }) => explainers.get(metric)?.(measurement));
}

function readConditions(rules: unknown): ReadonlyMap<string, Conditions> {
  const spec = parseRunSpec(rules);
  return spec === undefined ? new Map() : readableMetrics(spec);
}
