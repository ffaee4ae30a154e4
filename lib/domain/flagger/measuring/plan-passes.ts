import type { FlaggerMessage } from "#lib/domain/flagger/events/flagger-message.ts";
import type { AnalysisSpec } from "./analysis-spec.ts";

/**
 * Returns the canary weights of an analysis in order; a mirrored one begins with a step at 0. Mirrors fluxcd/flagger
 * pkg/controller/scheduler.go maxWeight, nextStepWeight and runCanary.
 */
export function planWeights({ stepWeight = 0, stepWeights = [], maxWeight = 0, mirror }: AnalysisSpec): number[] {
  const last = stepWeights.at(-1);
  const highest = Math.min(100, last ?? (maxWeight > 0 ? maxWeight : 100));
  const weights: number[] = mirror === true ? [0] : [];
  // Less than 1 is no step that Flagger could take: its weights are whole.
  if (stepWeight >= 1) {
    for (let weight = stepWeight; weight - stepWeight < highest; weight += stepWeight)
      weights.push(Math.min(weight, 100));
  } else weights.push(...stepWeights.map((weight) => Math.min(weight, 100)));
  return weights;
}

/**
 * Returns how many rounds must have passed for Flagger to write a message of progress; undefined for other messages.
 * The first step and the first iteration need none: nothing is measured before them.
 */
export function countPassesBefore(
  message: FlaggerMessage,
  { spec, iterations }: { spec: AnalysisSpec; iterations: number },
): number | undefined {
  switch (message.kind) {
    case "weight-advanced":
      return Math.max(
        0,
        planWeights(spec).findLastIndex((weight) => weight <= message.canaryWeight),
      );
    case "iteration-advanced":
      return Math.max(0, message.iteration - 1);
    case "traffic-to-canary":
      return iterations;
    case "promotion-started":
      return countPlannedRounds({ spec, iterations });
    default:
      return undefined;
  }
}

/** Returns how many rounds must pass before the promotion. Blue/green has one more than its iterations. */
export function countPlannedRounds({ spec, iterations }: { spec: AnalysisSpec; iterations: number }): number {
  if (iterations === 0) return planWeights(spec).length;
  return (spec.match ?? []).length > 0 ? iterations : iterations + 1;
}
