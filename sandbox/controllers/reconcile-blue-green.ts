import { findBlueGreenRuns, reconcileBlueGreenAnalysis } from "./blue-green-analysis.ts";
import { chooseActiveHash, isHalted, reconcileBlueGreenPause } from "./blue-green-promotion.ts";
import { planBlueGreenScaling } from "./blue-green-scaling.ts";
import { computeBlueGreenStatus } from "./blue-green-status.ts";
import { isFullyPromoted } from "./canary-steps.ts";
import { earliest } from "./clock.ts";
import { isWithinScaleDownDelay } from "./fast-rollback.ts";
import { isAborted, newPauseDecision } from "./pause-state.ts";
import { isScalingEvent } from "./plan-scaling.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import { deleteOldReplicaSets, loadParts, scaleReplicaSet, syncRevision } from "./replica-sets.ts";
import { restartPods } from "./restart-pods.ts";
import { selectedHash, switchService } from "./rollout-services.ts";
import type { ReplicaSet, Rollout, RolloutParts } from "./rollout-types.ts";
import { hashOf } from "./rollout-types.ts";
import { writeStatus } from "./write-rollout-status.ts";

/**
 * Does one pass over a blue-green Rollout: revision, preview Service, scaling, pause, active Service, analysis and
 * status, in the order of rollout/bluegreen.go rolloutBlueGreen (argo-rollouts at 9f8d111). Returns when to look again,
 * in ms.
 */
export function reconcileBlueGreen(context: ReconcileContext, rollout: Rollout): number | undefined {
  const { store, nowMs, speed } = context;
  const { activeService, previewService } = rollout.spec.strategy.blueGreen ?? {};
  const { namespace } = rollout.metadata;
  let parts = syncRevision(context, loadParts(store, rollout));
  const time = { nowMs, speed };
  const isWithinDelay = isWithinScaleDownDelay(parts, nowMs);
  const decision = { ...newPauseDecision(), removeAbort: isFullyPromoted(parts.rollout) };
  const before = findBlueGreenRuns(context, parts.rollout);
  const isRescaled = isScalingEvent(parts);
  if (!isRescaled && !isHalted(parts.rollout)) {
    switchService(context, rollout, { name: previewService, hash: hashOf(parts.newSet) });
  }
  const hashes = () => ({
    activeHash: selectedHash(store, namespace, activeService),
    previewHash: selectedHash(store, namespace, previewService),
  });
  const { currentPodHash } = parts.rollout.status;
  const isReset = currentPodHash !== undefined && currentPodHash !== hashOf(parts.newSet);
  if (isReset) {
    const pass = { parts, decision, runs: before, current: {}, isWithinDelay, isReset, ...hashes() };
    writeStatus(context, parts.rollout, computeBlueGreenStatus(context, pass));
    return 0;
  }
  const restart = restartPods(context, parts);
  parts = restart.parts;
  const plan = planBlueGreenScaling(parts, {
    ...time,
    runs: before,
    isReferenced: (set) => isReferenced(parts, set, hashes()),
    isAborted: isAborted(parts.rollout, decision),
  });
  for (const order of plan.orders) {
    scaleReplicaSet(context, parts.rollout, order);
  }
  deleteOldReplicaSets(context, parts);
  parts = loadParts(store, parts.rollout);
  const wakeMs = plan.wakeAtMs === undefined ? undefined : plan.wakeAtMs - nowMs;
  const input = { parts, decision, runs: before, isWithinDelay, time };
  const pauseWakeMs = reconcileBlueGreenPause({ ...input, ...hashes() });
  switchService(context, parts.rollout, { name: activeService, hash: chooseActiveHash({ ...input, ...hashes() }) });
  const current = reconcileBlueGreenAnalysis(context, { parts, decision, before, isWithinDelay });
  const pass = { parts, decision, runs: before, current, isWithinDelay, isReset, ...hashes() };
  writeStatus(context, parts.rollout, computeBlueGreenStatus(context, pass));
  return earliest(wakeMs, pauseWakeMs, restart.wakeMs);
}

/** Returns whether the status or a Service still names the version (rollout/replicaset.go isReplicaSetReferenced). */
function isReferenced(
  { rollout }: RolloutParts,
  set: ReplicaSet,
  { activeHash, previewHash }: { activeHash: string; previewHash: string },
): boolean {
  const { stableRS, currentPodHash, blueGreen = {} } = rollout.status;
  const { activeSelector, previewSelector } = blueGreen;
  return [stableRS, currentPodHash, activeSelector, previewSelector, activeHash, previewHash].includes(hashOf(set));
}
