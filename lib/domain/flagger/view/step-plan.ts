import type { CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import {
  analysisOf,
  type CanaryStrategy,
  hasNoRouter,
  intervalSecondsOf,
  iterationsOf,
  strategyOf,
  thresholdOf,
} from "#lib/domain/flagger/objects/canary-spec.ts";

const total = 100;

/** The stages of a run in which every check passes. Weights are percent. */
export type StepPlan = {
  strategy: CanaryStrategy;
  /** The weights on the canary in their order, 0 for a round of mirrored requests; empty for other strategies. */
  canaryWeights: number[];
  /** Rounds in which metrics and hooks are checked before the promotion. */
  checkRounds: number;
  /** Whether users are moved at all; not with provider kubernetes. */
  shiftsTraffic: boolean;
  /** The weights on the primary while it is promoted. */
  promotionPrimaryWeights: number[];
  /** The time between two rounds, as Flagger runs it. */
  intervalSeconds: number;
  /** The failed checks at which Flagger rolls back. */
  threshold: number;
  /** The weight at which Flagger stops advancing and never promotes; undefined for a plan that ends. */
  stallsAt?: number;
};

/**
 * Computes the plan of an analysis (advanceCanary, runCanary, runAB, runBlueGreen and runPromotionTrafficShift in
 * pkg/controller/scheduler.go of fluxcd/flagger 1.44.0). `meshProvider` is the controller's default router.
 */
export function computeStepPlan(canary: Pick<CanaryObject, "spec">, meshProvider?: string): StepPlan {
  const strategy = strategyOf(canary, meshProvider);
  const shiftsTraffic = !hasNoRouter(canary, meshProvider);
  const iterations = iterationsOf(canary, meshProvider);
  const walk = strategy === "Canary" ? walkWeights(canary) : { weights: [] };
  const lastWeight = strategy === "Canary" ? (walk.weights.at(-1) ?? 0) : total;
  return {
    strategy,
    canaryWeights: walk.weights,
    checkRounds: strategy === "Canary" ? walk.weights.length : strategy === "ABTesting" ? iterations : iterations + 1,
    shiftsTraffic,
    promotionPrimaryWeights: shiftsTraffic ? listPromotionWeights(canary, lastWeight) : [total],
    intervalSeconds: intervalSecondsOf(canary),
    threshold: thresholdOf(canary),
    ...("stallsAt" in walk ? { stallsAt: walk.stallsAt } : {}),
  };
}

type Walk = { weights: number[]; stallsAt?: number };

function walkWeights(canary: Pick<CanaryObject, "spec">): Walk {
  const isMirrored = analysisOf(canary)?.mirror === true;
  const maxWeight = findMaxWeight(canary);
  const weights = isMirrored ? [0] : [];
  for (let weight = 0; weight < maxWeight; ) {
    const step = findNextStep(canary, weight);
    if (step <= 0) return { weights, stallsAt: weight };
    weight = Math.min(weight + step, total);
    weights.push(weight);
  }
  return { weights };
}

function findMaxWeight(canary: Pick<CanaryObject, "spec">): number {
  const analysis = analysisOf(canary);
  const last = analysis?.stepWeights?.at(-1);
  if (last !== undefined) return Math.min(total, last);
  return analysis?.maxWeight !== undefined && analysis.maxWeight > 0 ? analysis.maxWeight : total;
}

/** Mirrors nextStepWeight: `stepWeight` outranks the list, and a weight that is not on the list leads to all traffic. */
function findNextStep(canary: Pick<CanaryObject, "spec">, weight: number): number {
  const { stepWeight = 0, stepWeights = [] } = analysisOf(canary) ?? {};
  const [first] = stepWeights;
  if (stepWeight > 0 || first === undefined) return stepWeight;
  const rest = total - weight;
  if (rest === 0) return 1;
  if (weight === 0) return Math.min(rest, first);
  const next = stepWeights[stepWeights.slice(0, -1).indexOf(weight) + 1];
  return stepWeights.slice(0, -1).includes(weight) && next !== undefined ? Math.min(rest, next - weight) : rest;
}

function listPromotionWeights(canary: Pick<CanaryObject, "spec">, lastWeight: number): number[] {
  const step = analysisOf(canary)?.stepWeightPromotion ?? 0;
  if (step <= 0) return [total];
  const weights: number[] = [];
  for (let weight = total - lastWeight; weight < total; ) {
    weight = Math.min(weight + step, total);
    weights.push(weight);
  }
  return weights.length === 0 ? [total] : weights;
}
