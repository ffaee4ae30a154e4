import type { Measurement } from "#lib/contract/analysis-run.ts";
import { createMeasurementExplainer } from "#lib/domain/argo/analysis/explain-measurement.ts";
import { readableMetrics } from "#lib/domain/argo/analysis/readable-metrics.ts";
import { analysisPhases } from "#lib/domain/argo/analysis/types.ts";
import { parseRunSpec } from "#lib/domain/argo/analysis-run-object.ts";

/** Conditions are cheap to ask again, but they come from strangers: a page spends no more than this on them. */
const withinMs = 150;

/** Adds why each measurement has its phase, by the rules of its run as stored. */
export function explainMeasurements(measurements: readonly Measurement[], storedSpec: unknown): Measurement[] {
  const spec = parseRunSpec(storedSpec);
  if (spec === undefined) return [...measurements];
  const explainers = new Map(
    [...readableMetrics(spec)].map(([name, metric]) => [name, createMeasurementExplainer(metric)] as const),
  );
  const end = performance.now() + withinMs;
  return measurements.map((measurement) => {
    const explain = explainers.get(measurement.metric);
    const phase = analysisPhases.find((each) => each === measurement.phase);
    if (explain === undefined || phase === undefined || performance.now() > end) return measurement;
    const { value, message, finishedAt } = measurement;
    const recorded = { phase, message, ...(value === null ? {} : { value }), finishedAt: finishedAt ?? undefined };
    return { ...measurement, explanation: explain(recorded) };
  });
}
