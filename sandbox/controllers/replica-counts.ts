import { approximateCounts, stepTowards } from "./basic-canary-counts.ts";
import { currentCanaryScale, currentSetWeight, isFullyPromoted, maxTrafficWeight } from "./canary-steps.ts";
import type { ReplicaSet, Rollout, RolloutParts } from "./rollout-types.ts";
import { DESIRED_REPLICAS_ANNOTATION } from "./rollout-types.ts";
import { surgeLimits } from "./surge-limits.ts";

export type ReplicaCounts = { canary: number; stable: number };

export function desiredReplicas(rollout: Rollout): number {
  return rollout.spec.replicas ?? 1;
}

export function hasTrafficRouting(rollout: Rollout): boolean {
  return rollout.spec.strategy.canary?.trafficRouting !== undefined;
}

/**
 * Computes how many replicas each version should have now. With a traffic router, the stable version stays at full
 * size. Without one, the two share the replicas by weight, and get there within the limits of surge and unavailability.
 */
export function computeReplicaCounts(parts: RolloutParts): ReplicaCounts {
  const desired = computeDesiredCounts(parts.rollout);
  return hasTrafficRouting(parts.rollout) ? desired : stepTowards(parts, desired);
}

/** Computes how many replicas the steps ask for in the end. */
export function computeDesiredCounts(rollout: Rollout): ReplicaCounts {
  const replicas = desiredReplicas(rollout);
  const maxWeight = maxTrafficWeight(rollout);
  const isWhole = rollout.status.promoteFull === true || rollout.status.stableRS === undefined;
  const scale = isWhole ? undefined : currentCanaryScale(rollout);
  const weight = isWhole || isFullyPromoted(rollout) ? maxWeight : (scale?.weight ?? currentSetWeight(rollout));
  if (hasTrafficRouting(rollout)) {
    return { canary: scale?.replicas ?? Math.ceil((replicas * weight) / maxWeight), stable: replicas };
  }
  return approximateCounts({ replicas, weight, maxWeight, surge: surgeLimits(rollout).surge });
}

export function sumReplicas(sets: ReplicaSet[], field: "replicas" | "readyReplicas" | "availableReplicas"): number {
  return sets.reduce((sum, set) => sum + set.status[field], 0);
}

/**
 * Returns true once the replicas that the current step needs exist and are available (AtDesiredReplicaCountsForCanary).
 */
export function isAtDesiredReplicas(parts: RolloutParts): boolean {
  const { newSet, stable } = parts;
  const counts = computeReplicaCounts(parts);
  if (newSet?.spec.replicas !== counts.canary || newSet.status.availableReplicas !== counts.canary) {
    return false;
  }
  const isStableCreated = stable?.spec.replicas === counts.stable && stable.status.replicas === counts.stable;
  if (stable !== newSet && !isStableCreated) {
    return false;
  }
  return hasTrafficRouting(parts.rollout) || sumReplicas(parts.others, "availableReplicas") === 0;
}

/**
 * Returns whether all replicas of the Rollout are requested, recorded and available (utils/annotations/annotations.go
 * IsSaturated).
 */
export function isSaturated(set: ReplicaSet | undefined, replicas: number): boolean {
  return (
    set !== undefined &&
    set.spec.replicas === replicas &&
    set.metadata.annotations?.[DESIRED_REPLICAS_ANNOTATION] === String(replicas) &&
    set.status.availableReplicas === replicas
  );
}
