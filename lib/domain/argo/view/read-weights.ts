import { currentStepOf, type RolloutObject, stepsOf } from "#lib/domain/argo/objects/rollout-object.ts";
import { maxWeightOf, trafficShareOf } from "#lib/domain/argo/view/traffic-share.ts";

/**
 * Returns the percentage of traffic that the steps so far, including the current one, have requested; undefined if none
 * did.
 */
export function readSetWeight(rollout: RolloutObject): number | undefined {
  const weight = stepsOf(rollout)
    .slice(0, currentStepOf(rollout) + 1)
    .findLast((step) => step.setWeight !== undefined)?.setWeight;
  return weight === undefined ? undefined : trafficShareOf({ weight, maxWeight: maxWeightOf(rollout) });
}

/** Returns the steps with the percentage that each sets. */
export function listWeightSteps(rollout: RolloutObject): { setWeight?: number }[] {
  const maxWeight = maxWeightOf(rollout);
  return stepsOf(rollout).map(({ setWeight: weight }) =>
    weight === undefined ? {} : { setWeight: trafficShareOf({ weight, maxWeight }) },
  );
}

/**
 * Returns the percentage of traffic on the new version, from the Rollout itself: the router's weight, or the share of
 * its pods. Undefined if it cannot be known: while some pods are unavailable, it is unclear which ones.
 */
export function readActualWeight(rollout: RolloutObject): number | undefined {
  const { spec, status } = rollout;
  const { canary } = spec.strategy;
  if (canary === undefined || status.stableRS === "" || status.stableRS === status.currentPodHash) return undefined;
  if (canary.trafficRouting !== undefined) {
    const weight = status.canary?.weights?.canary?.weight;
    return weight === undefined ? undefined : trafficShareOf({ weight, maxWeight: maxWeightOf(rollout) });
  }
  const { replicas, updatedReplicas, availableReplicas } = status;
  if (replicas === 0) return undefined;
  if (updatedReplicas === 0) return 0;
  return availableReplicas === replicas ? Math.floor((updatedReplicas * 100) / replicas) : undefined;
}
