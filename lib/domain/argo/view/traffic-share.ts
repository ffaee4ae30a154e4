import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";

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
