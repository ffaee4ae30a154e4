import type { ReplicaSet, RolloutParts } from "./rollout-types.ts";
import { surgeLimits } from "./surge-limits.ts";

type Counts = { canary: number; stable: number };

/**
 * Returns the counts nearest to the weight, one replica more than requested if a surge is allowed and comes nearer.
 * Between the ends of the scale, both versions keep at least one (utils/replicaset/canary.go
 * approximateWeightedCanaryStableReplicaCounts of argo-rollouts at 1.10.2).
 */
export function approximateCounts(input: {
  replicas: number;
  weight: number;
  maxWeight: number;
  surge: number;
}): Counts {
  const { replicas, weight, maxWeight, surge } = input;
  if (replicas === 0) {
    return { canary: 0, stable: 0 };
  }
  const share = (replicas * weight) / maxWeight;
  const isEmptyAllowed = weight === maxWeight || weight === 0 || (replicas === 1 && surge === 0);
  const isFloorAllowed = (total: number) =>
    ((total * weight) / maxWeight) % 1 !== 0.5 && (Math.floor(share) !== 0 || isEmptyAllowed);
  const options = [
    ...(Math.ceil(share) < replicas || isEmptyAllowed ? [{ canary: Math.ceil(share), total: replicas }] : []),
    ...(isFloorAllowed(replicas) ? [{ canary: Math.floor(share), total: replicas }] : []),
    ...(surge > 0 ? [{ canary: Math.ceil(share), total: replicas + 1 }] : []),
    ...(surge > 0 && isFloorAllowed(replicas + 1) ? [{ canary: Math.floor(share), total: replicas + 1 }] : []),
  ];
  const distance = ({ canary, total }: { canary: number; total: number }) =>
    Math.abs((canary * maxWeight) / total - weight);
  const [first, ...others] = options;
  if (first === undefined) {
    return { canary: 0, stable: replicas };
  }
  const best = others.reduce((nearest, option) => (distance(option) < distance(nearest) ? option : nearest), first);
  return { canary: best.canary, stable: best.total - best.canary };
}

/**
 * Returns the next replica counts of the two versions on the way to the desired ones, within the limits of surge and
 * unavailability (utils/replicaset/canary.go CalculateReplicaCountsForBasicCanary of argo-rollouts at 1.10.2).
 */
export function stepTowards(parts: RolloutParts, desired: Counts): Counts {
  const { rollout, newSet, others } = parts;
  const stable = parts.stable === newSet ? undefined : parts.stable;
  const replicas = rollout.spec.replicas ?? 1;
  const { surge, unavailable } = surgeLimits(rollout);
  const goal = stable === undefined ? { canary: replicas, stable: 0 } : desired;
  const now = { canary: newSet?.spec.replicas ?? 0, stable: stable?.spec.replicas ?? 0 };
  const old = others.reduce((sum, set) => sum + set.spec.replicas, 0);
  const most = replicas + surge;
  let spare = most - (old + now.canary + now.stable);
  const counts = { ...now };
  if (stable !== undefined && now.stable < goal.stable && spare > 0) {
    counts.stable = Math.min(now.stable + spare, goal.stable);
    spare -= counts.stable - now.stable;
  }
  if (newSet !== undefined && now.canary < goal.canary && spare > 0) {
    counts.canary = Math.min(now.canary + spare, goal.canary);
  }
  const least = replicas - unavailable;
  const isIncreasing = newSet === undefined || goal.canary >= now.canary;
  const free = countable(newSet, !isIncreasing) + countable(parts.stable, isIncreasing) - least;
  if (old > 0 || free <= 0) {
    return counts;
  }
  const limits = { most, least };
  if (!isIncreasing) {
    const canary = now.canary > goal.canary ? Math.max(goal.canary, now.canary - free) : counts.canary;
    const drained = { set: newSet, count: canary };
    const [canaryCount, stableCount] = keepWithin(drained, { set: parts.stable, count: counts.stable }, limits);
    return { canary: canaryCount, stable: stableCount };
  }
  if (stable !== undefined) {
    const count = now.stable > goal.stable ? Math.max(goal.stable, now.stable - free) : counts.stable;
    const [stableCount, canaryCount] = keepWithin(
      { set: stable, count },
      { set: newSet, count: counts.canary },
      limits,
    );
    return { canary: canaryCount, stable: stableCount };
  }
  return counts;
}

/** Counts the pods that can be relied on: of those that stay, the available ones or all. */
function countable(set: ReplicaSet | undefined, isAvailabilityIgnored: boolean): number {
  if (set === undefined) {
    return 0;
  }
  const { replicas } = set.spec;
  return isAvailabilityIgnored ? replicas : Math.min(replicas, set.status.availableReplicas);
}

type Side = { set: ReplicaSet | undefined; count: number };

/** Keeps the sum of both counts within the limits; the drained side yields last (adjustReplicaWithinLimits). */
function keepWithin(drained: Side, kept: Side, limits: { most: number; least: number }): [number, number] {
  if (kept.set === undefined) {
    return [drained.count, kept.count];
  }
  const available = kept.set.status.availableReplicas;
  const over = Math.max(0, kept.count + drained.count - limits.most);
  const reduced = kept.count - over;
  const left = Math.min(drained.set?.status.availableReplicas ?? 0, drained.count) + Math.min(available, reduced);
  const given = Math.min(Math.max(0, available - reduced), Math.max(0, limits.least - left));
  const count = reduced + given;
  return [drained.count - Math.max(0, count + drained.count - limits.most), count];
}
