import type { BlueGreenRuns } from "./blue-green-analysis.ts";
import { skipsPostPromotion } from "./blue-green-analysis.ts";
import { formatTime, parseTime } from "./clock.ts";
import { findPause } from "./pause-state.ts";
import type { ScaleOrder, ScalingPlan } from "./plan-scaling.ts";
import { desiredReplicas } from "./replica-counts.ts";
import { phaseOf } from "./rollout-runs.ts";
import type { ReplicaSet, RolloutParts } from "./rollout-types.ts";
import { hashOf, revisionOf, SCALE_DOWN_DEADLINE_ANNOTATION } from "./rollout-types.ts";

type Time = { nowMs: number; speed: number };

const DEFAULT_DELAY_SECONDS = 30;

/**
 * Returns the replicas of the new version: previewReplicaCount until the pause is over (NewRSNewReplicas at 9f8d111).
 */
export function newSetReplicas({ rollout, newSet, all }: RolloutParts): number {
  const { status, spec } = rollout;
  const previewCount = spec.strategy.blueGreen?.previewReplicaCount;
  const total = desiredReplicas(rollout);
  if (previewCount === undefined || newSet === undefined) {
    return total;
  }
  const active = all.find((set) => hashOf(set) === status.blueGreen?.activeSelector);
  if (active === undefined || active === newSet || status.promoteFull === true) {
    return total;
  }
  const isPaused = spec.paused === true || (status.pauseConditions ?? []).length > 0;
  const isPast = !isPaused && status.blueGreen?.scaleUpPreviewCheckPoint === true;
  return isPast && hashOf(newSet) === status.currentPodHash ? total : previewCount;
}

/**
 * Returns whether the new version has the replicas that a pause or a switch waits for (utils/replicaset/bluegreen.go
 * ReadyForPause).
 */
export function isReadyForPause(parts: RolloutParts): boolean {
  const { newSet } = parts;
  const replicas = newSetReplicas(parts);
  return newSet?.spec.replicas === replicas && newSet.status.availableReplicas === replicas;
}

/**
 * Plans the size of each ReplicaSet of a blue-green Rollout: stable and new version full size, others until the delay
 * after their last use has passed (rollout/bluegreen.go reconcileBlueGreenReplicaSets of argo-rollouts at 9f8d111).
 */
export function planBlueGreenScaling(
  parts: RolloutParts,
  options: Time & { runs: BlueGreenRuns; isReferenced: (set: ReplicaSet) => boolean; isAborted: boolean },
): ScalingPlan {
  const { rollout, newSet, stable } = parts;
  const plan: ScalingPlan = { orders: [] };
  if (stable !== undefined && stable !== newSet) {
    plan.orders.push({ set: stable, replicas: desiredReplicas(rollout) });
  }
  if (newSet !== undefined) {
    if (options.isAborted && stable !== undefined) {
      planAbortedSet({ plan, parts, newSet, stable, time: options });
    } else {
      plan.orders.push({ set: newSet, replicas: newSetReplicas(parts) });
    }
  }
  if (mayScaleDownOthers(parts, options.runs)) {
    planOthers({ plan, parts, time: options, isReferenced: options.isReferenced });
  }
  return plan;
}

/** Plans the new version of an aborted release: it stays for a while; with a delay of zero it stays permanently. */
function planAbortedSet(input: {
  plan: ScalingPlan;
  parts: RolloutParts;
  newSet: ReplicaSet;
  stable: ReplicaSet;
  time: Time;
}): void {
  const { plan, parts, newSet, stable, time } = input;
  const { rollout } = parts;
  const delaySeconds = rollout.spec.strategy.blueGreen?.abortScaleDownDelaySeconds ?? DEFAULT_DELAY_SECONDS;
  const keep: ScaleOrder = { set: newSet, replicas: newSet.spec.replicas };
  const deadline = newSet.metadata.annotations?.[SCALE_DOWN_DEADLINE_ANNOTATION];
  const deadlineMs = parseTime(deadline);
  if (stable === newSet || delaySeconds === 0) {
    plan.orders.push({ ...keep, replicas: newSetReplicas(parts) });
  } else if (deadline !== undefined && deadlineMs !== undefined) {
    const isDue = deadlineMs <= time.nowMs;
    plan.orders.push({ ...keep, deadline, ...(isDue ? { replicas: 0 } : {}) });
    if (!isDue) {
      wakeAt(plan, deadlineMs);
    }
  } else if (stable.status.availableReplicas >= desiredReplicas(rollout)) {
    const endMs = time.nowMs + (delaySeconds * 1000) / time.speed;
    plan.orders.push({ ...keep, deadline: formatTime(endMs) });
    wakeAt(plan, endMs);
  } else {
    plan.orders.push(keep);
  }
}

/**
 * Returns whether old versions may scale down. They wait for an Inconclusive run and, if no delay is set, for the
 * post-promotion analysis.
 */
function mayScaleDownOthers(parts: RolloutParts, { post }: BlueGreenRuns): boolean {
  const { rollout } = parts;
  const strategy = rollout.spec.strategy.blueGreen;
  if (findPause(rollout.status, "InconclusiveAnalysisRun") !== undefined) {
    return false;
  }
  const waitsForRun = strategy?.postPromotionAnalysis !== undefined && strategy.scaleDownDelaySeconds === undefined;
  return !waitsForRun || skipsPostPromotion(parts, post) || (post !== undefined && phaseOf(post) === "Successful");
}

function planOthers(input: {
  plan: ScalingPlan;
  parts: RolloutParts;
  time: Time;
  isReferenced: (set: ReplicaSet) => boolean;
}): void {
  const { plan, parts, time, isReferenced } = input;
  const strategy = parts.rollout.spec.strategy.blueGreen;
  const limit = strategy?.scaleDownDelayRevisionLimit ?? Number.POSITIVE_INFINITY;
  const delayMs = ((strategy?.scaleDownDelaySeconds ?? DEFAULT_DELAY_SECONDS) * 1000) / time.speed;
  const newestFirst = [...parts.others].sort((left, right) => revisionOf(right.metadata) - revisionOf(left.metadata));
  let delayed = 0;
  for (const set of newestFirst) {
    if (set.spec.replicas === 0 || isReferenced(set)) {
      continue;
    }
    delayed += 1;
    const deadline = set.metadata.annotations?.[SCALE_DOWN_DEADLINE_ANNOTATION];
    const deadlineMs = parseTime(deadline);
    if (delayed > limit) {
      plan.orders.push({ set, replicas: 0 });
    } else if (deadline === undefined || deadlineMs === undefined) {
      // Without a delay, upstream writes no deadline and so never scales down.
      if (delayMs > 0) {
        plan.orders.push({ set, replicas: set.spec.replicas, deadline: formatTime(time.nowMs + delayMs) });
        wakeAt(plan, time.nowMs + delayMs);
      }
    } else if (deadlineMs > time.nowMs) {
      plan.orders.push({ set, replicas: desiredReplicas(parts.rollout), deadline });
      wakeAt(plan, deadlineMs);
    } else {
      plan.orders.push({ set, replicas: 0 });
    }
  }
}

function wakeAt(plan: ScalingPlan, atMs: number): void {
  plan.wakeAtMs = Math.min(plan.wakeAtMs ?? Number.POSITIVE_INFINITY, atMs);
}
