import {
  currentSetWeight,
  currentStep,
  isFullyPromoted,
  maxTrafficWeight,
  stepsOf,
  weightSetAt,
} from "./canary-steps.ts";
import { hasTrafficRouting, isAtDesiredReplicas } from "./replica-counts.ts";
import type { ExperimentOutcome } from "./rollout-experiments.ts";
import type { RolloutParts, TrafficWeights } from "./rollout-types.ts";
import { hashOf } from "./rollout-types.ts";

/**
 * Computes the weights for the traffic router, in the order of cases of rollout/trafficrouting.go
 * reconcileTrafficRouting (argo-rollouts at 9f8d111). Absent without a router. Invariant: the weight never runs ahead
 * of available replicas. While a step is still scaling, the previous step's weight stays.
 */
export function computeTrafficWeights(
  parts: RolloutParts,
  pass: { isAborted: boolean; experiment?: ExperimentOutcome | undefined },
): TrafficWeights | undefined {
  const { rollout, newSet, stable } = parts;
  if (!hasTrafficRouting(rollout)) {
    return undefined;
  }
  const canary = rollout.spec.strategy.canary;
  const weight = computeCanaryWeight(parts, pass.isAborted);
  const isTesting = !pass.isAborted && !isFullyPromoted(rollout) && rollout.status.promoteFull !== true;
  const additional = isTesting ? (pass.experiment?.destinations ?? []) : [];
  const elsewhere = additional.reduce((sum, destination) => sum + destination.weight, 0);
  return {
    canary: { weight, ...serviceOf(canary?.canaryService), podTemplateHash: hashOf(newSet) },
    stable: {
      weight: maxTrafficWeight(rollout) - weight - elsewhere,
      ...serviceOf(canary?.stableService),
      podTemplateHash: hashOf(stable ?? newSet),
    },
    ...(additional.length === 0 ? {} : { additional }),
  };
}

function computeCanaryWeight(parts: RolloutParts, isAborted: boolean): number {
  const { rollout, newSet } = parts;
  if (isFullyPromoted(rollout) || isAborted || newSet === undefined || newSet.status.availableReplicas === 0) {
    return 0;
  }
  if (rollout.status.promoteFull === true) {
    return rollout.status.canary?.weights?.canary.weight ?? 0;
  }
  const { index } = currentStep(rollout);
  if (index === undefined) {
    return 0;
  }
  return isAtDesiredReplicas(parts) ? currentSetWeight(rollout) : weightSetAt(stepsOf(rollout), index - 1);
}

function serviceOf(serviceName: string | undefined): { serviceName?: string } {
  return serviceName === undefined ? {} : { serviceName };
}
