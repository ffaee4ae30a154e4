import type { Measurement } from "#lib/contract/analysis-run.ts";
import { analysisPhases } from "#lib/domain/argo/analysis/types.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { evaluateForPage } from "#lib/server/services/analysis/evaluate-for.ts";

/** Adds why each measurement has its phase, by the rules of its run as stored. */
export async function explainMeasurements(
  ctx: ServiceContext,
  measurements: readonly Measurement[],
  storedSpec: unknown,
): Promise<Measurement[]> {
  const known = measurements.flatMap((measurement) => {
    const phase = analysisPhases.find((each) => each === measurement.phase);
    if (phase === undefined) return [];
    const { metric, value, message, finishedAt } = measurement;
    const recorded = {
      metric,
      phase,
      message,
      ...(value === null ? {} : { value }),
      finishedAt: finishedAt ?? undefined,
    };
    return [{ measurement, recorded }];
  });
  if (known.length === 0) return [...measurements];
  const explained = await evaluateForPage(ctx, "explain", {
    storedSpec,
    measurements: known.map(({ recorded }) => recorded),
  });
  const explanations = new Map(known.map(({ measurement }, index) => [measurement, explained?.[index]]));
  return measurements.map((measurement) => {
    const explanation = explanations.get(measurement);
    return explanation === undefined ? measurement : { ...measurement, explanation };
  });
}
