import { currentCanaryScale, currentSetWeight, isFullyPromoted, maxTrafficWeight } from "./canary-steps.ts";
import type { ReplicaSet, Rollout } from "./rollout-types.ts";
import { DESIRED_REPLICAS_ANNOTATION } from "./rollout-types.ts";

/** A Rollout with its ReplicaSets sorted into their parts; `stable` is absent on the first deployment. */
export type RolloutParts = {
  rollout: Rollout;
  newSet?: ReplicaSet;
  stable?: ReplicaSet;
  others: ReplicaSet[];
  all: ReplicaSet[];
};

export type ReplicaCounts = { canary: number; stable: number };

export function desiredReplicas(rollout: Rollout): number {
  return rollout.spec.replicas ?? 1;
}

export function hasTrafficRouting(rollout: Rollout): boolean {
  return rollout.spec.strategy.canary?.trafficRouting !== undefined;
}

/**
 * How many replicas the steps ask for. With a traffic router the stable version stays whole; without one the two
 * share the replicas by weight, each keeping at least one while it is meant to get any traffic.
 */
export function computeReplicaCounts(rollout: Rollout): ReplicaCounts {
  const replicas = desiredReplicas(rollout);
  const maxWeight = maxTrafficWeight(rollout);
  const isWhole = rollout.status.promoteFull === true || rollout.status.stableRS === undefined;
  const scale = isWhole ? undefined : currentCanaryScale(rollout);
  const weight = isWhole || isFullyPromoted(rollout) ? maxWeight : (scale?.weight ?? currentSetWeight(rollout));
  if (hasTrafficRouting(rollout)) {
    return { canary: scale?.replicas ?? Math.ceil((replicas * weight) / maxWeight), stable: replicas };
  }
  if (scale?.replicas !== undefined) {
    return { canary: scale.replicas, stable: replicas };
  }
  const share = Math.round((replicas * weight) / maxWeight);
  if (weight <= 0 || weight >= maxWeight || replicas === 0) {
    return { canary: share, stable: replicas - share };
  }
  const canary = Math.max(1, Math.min(share, replicas - 1));
  return { canary, stable: Math.max(1, replicas - canary) };
}

export function sumReplicas(sets: ReplicaSet[], field: "replicas" | "readyReplicas" | "availableReplicas"): number {
  return sets.reduce((sum, set) => sum + set.status[field], 0);
}

/** True once the replicas that the current step needs exist and are available. */
export function isAtDesiredReplicas(parts: RolloutParts): boolean {
  const { canary, stable } = computeReplicaCounts(parts.rollout);
  if (parts.newSet !== undefined) {
    if (parts.newSet.spec.replicas !== canary || parts.newSet.status.availableReplicas !== canary) {
      return false;
    }
  }
  if (parts.stable !== undefined && parts.stable !== parts.newSet && parts.stable.spec.replicas !== stable) {
    return false;
  }
  return hasTrafficRouting(parts.rollout) || sumReplicas(parts.others, "availableReplicas") === 0;
}

/** All replicas of the Rollout asked for, noted and available (utils/annotations/annotations.go IsSaturated). */
export function isSaturated(set: ReplicaSet | undefined, replicas: number): boolean {
  return (
    set !== undefined &&
    set.spec.replicas === replicas &&
    set.metadata.annotations?.[DESIRED_REPLICAS_ANNOTATION] === String(replicas) &&
    set.status.availableReplicas === replicas
  );
}
