import type { Measurement } from "#lib/contract/analysis-run.ts";
import { runPhases } from "#lib/domain/delivery/run-phase.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { evaluateForPage } from "#lib/server/services/analysis/evaluate-for.ts";

/** Adds why each measurement has its phase, by the rules of its run as stored. */
export async function explainMeasurements(
  ctx: ServiceContext,
  measurements: readonly Measurement[],
  { kind, spec }: { kind: string; spec: unknown },
): Promise<Measurement[]> {
  const known = measurements.flatMap((measurement) => {
    const phase = runPhases.find((each) => each === measurement.phase);
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
    kind,
    rules: spec,
    measurements: known.map(({ recorded }) => recorded),
  });
  const explanations = new Map(known.map(({ measurement }, index) => [measurement, explained?.[index]]));
  return measurements.map((measurement) => {
    const explanation = explanations.get(measurement);
    return explanation === undefined ? measurement : { ...measurement, explanation };
  });
}
