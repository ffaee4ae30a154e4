import { formatTime, parseTime } from "./clock.ts";
import { findPause } from "./pause-state.ts";
import { computeReplicaCounts, desiredReplicas, hasTrafficRouting, sumReplicas } from "./replica-counts.ts";
import type { ReplicaSet, RolloutParts } from "./rollout-types.ts";
import { DESIRED_REPLICAS_ANNOTATION, SCALE_DOWN_DEADLINE_ANNOTATION } from "./rollout-types.ts";
import { surgeLimits } from "./surge-limits.ts";

export type ScaleOrder = { set: ReplicaSet; replicas: number; deadline?: string };
export type ScalingPlan = { orders: ScaleOrder[]; wakeAtMs?: number };

const DEFAULT_SCALE_DOWN_DELAY_SECONDS = 30;

/**
 * Plans the replicas of each ReplicaSet, the stable one first: the executor stops at the first that changes anything.
 * Nothing scales while a person or an Inconclusive run holds the Rollout, except after a change of spec.replicas.
 * Behind a traffic router, old sets scale down only after a delay.
 */
export function planScaling(parts: RolloutParts, options: { nowMs: number; speed: number }): ScalingPlan {
  if (isHalted(parts) && !isScalingEvent(parts)) {
    return { orders: [] };
  }
  const plan: ScalingPlan = { orders: [] };
  const counts = computeReplicaCounts(parts);
  const { newSet, stable } = parts;
  if (stable !== undefined && stable !== newSet) {
    plan.orders.push({ set: stable, replicas: counts.stable });
  }
  if (newSet !== undefined) {
    planNewSet({ parts, plan, newSet, target: counts.canary, ...options });
  }
  if (!hasTrafficRouting(parts.rollout)) {
    planOldSets(plan, parts);
    return plan;
  }
  const delaySeconds = parts.rollout.spec.strategy.canary?.scaleDownDelaySeconds ?? DEFAULT_SCALE_DOWN_DELAY_SECONDS;
  for (const set of parts.others) {
    planDelayedScaleDown({ plan, set, delaySeconds, ...options });
  }
  return plan;
}

/** Plans old versions without a router: they go as fast as availability allows, their unready pods at once. */
function planOldSets(plan: ScalingPlan, parts: RolloutParts): void {
  const least = desiredReplicas(parts.rollout) - surgeLimits(parts.rollout).unavailable;
  let free = sumReplicas(parts.all, "availableReplicas") - least;
  for (const set of parts.others) {
    const ready = Math.min(set.spec.replicas, set.status.availableReplicas);
    const gone = Math.max(0, Math.min(ready, free));
    free -= gone;
    plan.orders.push({ set, replicas: ready - gone });
  }
}

function isHalted({ rollout }: RolloutParts): boolean {
  return rollout.spec.paused === true || findPause(rollout.status, "InconclusiveAnalysisRun") !== undefined;
}

/** Returns whether spec.replicas has changed and not every ReplicaSet with pods knows it yet. */
export function isScalingEvent({ rollout, all }: RolloutParts): boolean {
  const desired = String(desiredReplicas(rollout));
  return all.some(
    (set) => set.spec.replicas > 0 && (set.metadata.annotations?.[DESIRED_REPLICAS_ANNOTATION] ?? desired) !== desired,
  );
}

type PlanInput = { plan: ScalingPlan; nowMs: number; speed: number };

function planNewSet(input: PlanInput & { parts: RolloutParts; newSet: ReplicaSet; target: number }): void {
  const { parts, plan, newSet, target } = input;
  const isAborting = parts.rollout.status.abort === true && parts.stable !== undefined && parts.stable !== newSet;
  if (!isAborting || !hasTrafficRouting(parts.rollout)) {
    plan.orders.push({ set: newSet, replicas: target });
    return;
  }
  const delaySeconds =
    parts.rollout.spec.strategy.canary?.abortScaleDownDelaySeconds ?? DEFAULT_SCALE_DOWN_DELAY_SECONDS;
  if (delaySeconds > 0) {
    planDelayedScaleDown({ ...input, set: newSet, delaySeconds });
  }
}

function planDelayedScaleDown(input: PlanInput & { set: ReplicaSet; delaySeconds: number }): void {
  const { plan, set, delaySeconds, nowMs, speed } = input;
  if (set.spec.replicas === 0) {
    return;
  }
  const deadlineText = set.metadata.annotations?.[SCALE_DOWN_DEADLINE_ANNOTATION];
  const deadlineMs = parseTime(deadlineText) ?? nowMs + (delaySeconds * 1000) / speed;
  if (deadlineText !== undefined && deadlineMs <= nowMs) {
    plan.orders.push({ set, replicas: 0 });
    return;
  }
  plan.orders.push({ set, replicas: set.spec.replicas, deadline: deadlineText ?? formatTime(deadlineMs) });
  plan.wakeAtMs = Math.min(plan.wakeAtMs ?? Number.POSITIVE_INFINITY, deadlineMs);
}
