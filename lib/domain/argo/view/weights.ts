import { currentStepOf, type RolloutObject, stepsOf } from "#lib/domain/argo/objects/rollout-object.ts";

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

/** Returns the weight that stands for all traffic: `trafficRouting.maxTrafficWeight`, 100 if it is not set. */
export function maxWeightOf({ spec }: Pick<RolloutObject, "spec">): number {
  const max = spec.strategy.canary?.trafficRouting?.maxTrafficWeight;
  return max === undefined || max <= 0 ? 100 : max;
}

/**
 * Returns the percentage of the traffic that a weight of the spec or the status stands for (utils/weightutil
 * MaxTrafficWeight of Argo Rollouts 1.10.2). At most four digits, since a weight can be of 100000000. A part never
 * becomes all or nothing.
 */
export function trafficShareOf({ weight, maxWeight }: { weight: number; maxWeight: number }): number {
  const percent = (weight * 100) / maxWeight;
  if (weight >= maxWeight || Number.isInteger(percent)) return percent;
  return Math.min(99.99, Number(percent.toPrecision(4)));
}
