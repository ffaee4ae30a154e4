import { z } from "zod";
import type {
  Conditions,
  DescribedRun,
  ExplainingProvider,
  StoredMeasurements,
  StoredRun,
} from "#lib/domain/delivery/explaining.ts";
import { explainMetric, explainRun, explainStart } from "./analysis/explain.ts";
import { createMeasurementExplainer } from "./analysis/explain-measurement.ts";
import { defaultLimits, readRunSpec, readTemplateSpec } from "./analysis/read-run-spec.ts";
import { readableMetrics } from "./analysis/resolve-metric-args.ts";
import { thresholdsOf } from "./analysis/thresholds.ts";
import { parseRunSpec } from "./objects/analysis-run-object.ts";

export const argoExplaining: ExplainingProvider = {
  describeRun,
  explainMeasurements,
  readConditions,
  drawConditions: ({ successCondition, failureCondition }) => thresholdsOf(successCondition, failureCondition),
  readSpec: readRunSpec,
  readTemplate: readTemplateSpec,
  defaultLimits,
};

function describeRun({ rules: stored, metrics, phase, message, rollout }: StoredRun): DescribedRun {
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
        : explainRun({ ...spec, metrics: [...readable.values()] }, { phase, message, metricResults: metrics }),
    start: explainStart({ startingStep: startingStepOf(rollout), metrics: [...readable.values()] }),
  };
}

const Starting = z.object({
  spec: z.object({ strategy: z.object({ canary: z.object({ analysis: z.object({ startingStep: z.number() }) }) }) }),
});

/** Returns the step at which the rollout's background analysis begins, counted from 0; undefined if it is not set. */
function startingStepOf(rollout: unknown): number | undefined {
  return Starting.safeParse(rollout).data?.spec.strategy.canary.analysis.startingStep;
}

function explainMeasurements({ rules, units, measurements }: StoredMeasurements): readonly (string | undefined)[] {
  const spec = parseRunSpec(rules);
  if (spec === undefined) return [];
  const explainers = new Map(
    [...readableMetrics(spec)].map(
      ([name, metric]) => [name, createMeasurementExplainer(metric, units.get(name))] as const,
    ),
  );
  return measurements.map(({ metric, ...measurement }) => explainers.get(metric)?.(measurement));
}

function readConditions(rules: unknown): ReadonlyMap<string, Conditions> {
  const spec = parseRunSpec(rules);
  return spec === undefined ? new Map() : readableMetrics(spec);
}
