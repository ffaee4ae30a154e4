import { findBlueGreenRuns, reconcileBlueGreenAnalysis } from "./blue-green-analysis.ts";
import { chooseActiveHash, isHalted, reconcileBlueGreenPause } from "./blue-green-promotion.ts";
import { planBlueGreenScaling } from "./blue-green-scaling.ts";
import { computeBlueGreenStatus } from "./blue-green-status.ts";
import { isFullyPromoted } from "./canary-steps.ts";
import { earliest, parseTime } from "./clock.ts";
import { isWithinScaleDownDelay } from "./fast-rollback.ts";
import { isAborted, newPauseDecision } from "./pause-state.ts";
import { isScalingEvent } from "./plan-scaling.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import { desiredReplicas } from "./replica-counts.ts";
import { deleteOldReplicaSets, loadParts, scaleReplicaSet, syncRevision } from "./replica-sets.ts";
import { selectedHash, switchService } from "./rollout-services.ts";
import { hashOf, type ReplicaSet, type Rollout, type RolloutParts } from "./rollout-types.ts";
import { surgeLimits } from "./surge-limits.ts";
import { isReady, listPods } from "./sync-pods.ts";
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

const RETRY_MS = 30_000;

type RestartOutcome = {
  /** With `restartedAt` set in the status once no pod is older than the requested time. */
  parts: RolloutParts;
  /** How many pods this pass has deleted: their replacements are not counted yet. */
  restarted: number;
  wakeMs?: number;
};

/**
 * Replaces the pods that are older than `spec.restartAt`, never more at a time than may be unavailable; writes
 * `restartedAt` only once all old pods are gone. If new pods never become ready, it stays unchanged (rollout/restart.go
 * RolloutPodRestarter.Reconcile of argo-rollouts at 1.10.2).
 */
export function restartPods(context: ReconcileContext, parts: RolloutParts): RestartOutcome {
  const { rollout, all } = parts;
  const askedMs = pendingRestartMs(rollout);
  if (askedMs === undefined) {
    return { parts, restarted: 0 };
  }
  if (context.nowMs <= askedMs) {
    return { parts, restarted: 0, wakeMs: askedMs - context.nowMs + 1 };
  }
  const pods = byPriority(parts).flatMap((set) => listPods(context, set));
  const old = pods.filter(({ metadata }) => (parseTime(metadata.creationTimestamp) ?? askedMs) < askedMs);
  if (old.length === 0) {
    const status = { ...rollout.status, restartedAt: rollout.spec.restartAt };
    return { parts: { ...parts, rollout: { ...rollout, status } }, restarted: 0 };
  }
  const total = all.reduce((sum, set) => sum + set.spec.replicas, 0);
  const uncounted = Math.max(0, total - pods.length);
  const available = pods.filter(isReady).length + uncounted;
  const least = Math.max(desiredReplicas(rollout), total) - Math.max(surgeLimits(rollout).unavailable, 1);
  const due = old.slice(0, Math.max(0, available - least));
  for (const { metadata } of due) {
    context.store.delete("pods", metadata.namespace, metadata.name);
  }
  return { parts, restarted: due.length, wakeMs: RETRY_MS / context.speed };
}

function pendingRestartMs({ spec, status }: Rollout): number | undefined {
  return spec.restartAt === status.restartedAt ? undefined : parseTime(spec.restartAt);
}

/**
 * Orders the stable version first, then the new one, then the others (rollout/restart.go SortReplicaSetsByPriority).
 */
function byPriority({ stable, newSet, others }: RolloutParts): ReplicaSet[] {
  return [...new Set([stable, newSet, ...others].filter((set) => set !== undefined))];
}
