import { currentStepOf, type RolloutObject, stepsOf } from "#lib/domain/argo/objects/rollout-object.ts";

/** Returns the weight that the steps so far, including the current one, have requested; undefined if none did. */
export function readSetWeight(rollout: RolloutObject): number | undefined {
  return stepsOf(rollout)
    .slice(0, currentStepOf(rollout) + 1)
    .findLast((step) => step.setWeight !== undefined)?.setWeight;
}

/**
 * Returns the percentage of traffic on the new version, from the Rollout itself: what the router was told, or the share
 * of its pods. Undefined if it cannot be known: while some pods are unavailable, it is unclear which ones.
 */
export function readActualWeight({ spec, status }: RolloutObject): number | undefined {
  const { canary } = spec.strategy;
  if (canary === undefined || status.stableRS === "" || status.stableRS === status.currentPodHash) return undefined;
  if (canary.trafficRouting !== undefined) return status.canary?.weights?.canary?.weight;
  const { replicas, updatedReplicas, availableReplicas } = status;
  if (replicas === 0) return undefined;
  if (updatedReplicas === 0) return 0;
  return availableReplicas === replicas ? Math.floor((updatedReplicas * 100) / replicas) : undefined;
}
