import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { reconcilePauseStep } from "./canary-pause.ts";
import { isFullyPromoted } from "./canary-steps.ts";
import { earliest, parseTime } from "./clock.ts";
import { newPauseDecision } from "./pause-state.ts";
import { planScaling } from "./plan-scaling.ts";
import { reconcileBlueGreen, restartPods } from "./reconcile-blue-green.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import { reconcileRolloutAnalysis } from "./reconcile-rollout-analysis.ts";
import { deleteOldReplicaSets, ensureNewReplicaSet, loadParts, scaleReplicaSet, syncRevision } from "./replica-sets.ts";
import {
  isMigrating,
  noteWorkloadGeneration,
  refreshRollout,
  resolveRollout,
  scaleWorkload,
} from "./resolve-workload.ts";
import { findCondition, planPauseConditions } from "./rollout-conditions.ts";
import { reconcileRolloutExperiments } from "./rollout-experiments.ts";
import { reconcileCanaryServices } from "./rollout-services.ts";
import { computeStatus } from "./rollout-status.ts";
import { type Rollout, viewRollout } from "./rollout-types.ts";
import { computePodTemplateHash, computeStepHash } from "./template-hash.ts";
import { validateRollout } from "./validate-rollout.ts";
import { writeInvalid, writeStatus } from "./write-rollout-status.ts";

/**
 * Does one pass over a Rollout: its workload and validity, conditions of a pause, then the strategy's own pass
 * (rollout/controller.go syncHandler, rollout/context.go reconcile of argo-rollouts at 9f8d111). Returns when to look
 * again, in ms.
 */
export function reconcileRollout(context: ReconcileContext, object: KubeObject): number | undefined {
  const { store, nowMs } = context;
  const resolved = resolveRollout(store, object);
  if ("problem" in resolved) {
    writeInvalid(context, viewRollout(object), `The Rollout "${object.metadata.name}" is invalid: ${resolved.problem}`);
    return undefined;
  }
  const { workload } = resolved;
  const noted = workload === undefined ? object : noteWorkloadGeneration(context, object, workload);
  const rollout = refreshRollout(resolved.rollout, noted);
  const invalid = validateRollout(store, rollout);
  if (invalid !== undefined) {
    writeInvalid(context, rollout, invalid);
    return undefined;
  }
  if (ensureNewReplicaSet(context, rollout)) {
    return 0;
  }
  const pauseStatus = planPauseConditions(rollout, nowMs);
  if (pauseStatus !== undefined) {
    writeStatus(context, rollout, pauseStatus);
    return 0;
  }
  migrateWorkload(context, rollout);
  const pass = rollout.spec.strategy.blueGreen == null ? reconcileCanary : reconcileBlueGreen;
  const wakeMs = pass(context, rollout);
  return earliest(wakeMs, stuckWakeMs(rollout, nowMs));
}

/**
 * Takes over the Deployment's replicas: at once when healthy, or one by one (reconcileNewReplicaSet, promoteStable).
 */
function migrateWorkload(context: ReconcileContext, rollout: Rollout): void {
  const { phase, readyReplicas = 0, currentPodHash } = rollout.status;
  if (currentPodHash !== computePodTemplateHash(rollout.spec.template)) {
    return;
  }
  const isProgressive = isMigrating(rollout, "progressively");
  if (phase === "Healthy" && (isProgressive || isMigrating(rollout, "onsuccess"))) {
    scaleWorkload(context, rollout, 0);
  } else if (isProgressive && readyReplicas > 0) {
    scaleWorkload(context, rollout, (rollout.spec.replicas ?? 1) - readyReplicas);
  }
}

/** Returns when to check the progress deadline: nothing else would wake a stuck Rollout. */
function stuckWakeMs(rollout: Rollout, nowMs: number): number | undefined {
  const progressing = findCondition(rollout.status, "Progressing");
  const isOpen = progressing !== undefined && ["ReplicaSetUpdated", "RolloutResumed"].includes(progressing.reason);
  const updatedMs = parseTime(progressing?.lastUpdateTime);
  if (!isOpen || updatedMs === undefined) {
    return undefined;
  }
  const deadlineMs = updatedMs + (rollout.spec.progressDeadlineSeconds ?? 600) * 1000 + 1000;
  return deadlineMs > nowMs ? deadlineMs - nowMs : undefined;
}

/**
 * Does one pass over a canary Rollout: revision, Services, experiments, analysis, scaling, pause and status, in the
 * order of rollout/canary.go rolloutCanary (argo-rollouts at 9f8d111). Returns when to look again, in ms.
 */
function reconcileCanary(context: ReconcileContext, rollout: Rollout): number | undefined {
  const { store, nowMs, speed } = context;
  const isReset = isTemplateOrStepsChanged(rollout);
  const synced = syncRevision(context, loadParts(store, rollout));
  if (isReset) {
    const decision = newPauseDecision();
    writeStatus(context, synced.rollout, computeStatus(context, { parts: synced, decision, isReset }));
    return 0;
  }
  const { parts, restarted, wakeMs: restartWakeMs } = restartPods(context, synced);
  if (restarted > 0) {
    return restartWakeMs;
  }
  // An abort after the promotion has nothing left to abort, and is dropped silently.
  const decision = { ...newPauseDecision(), removeAbort: isFullyPromoted(parts.rollout) };
  deleteOldReplicaSets(context, parts);
  reconcileCanaryServices(context, parts, decision);
  const experiment = reconcileRolloutExperiments(context, parts, decision);
  const analysis = reconcileRolloutAnalysis(context, parts, decision);
  let wakeMs: number | undefined;
  if (decision.add.length === 0) {
    const plan = planScaling(parts, { nowMs, speed });
    const hasScaled = plan.orders.some((order) => scaleReplicaSet(context, parts.rollout, order));
    wakeMs = plan.wakeAtMs === undefined ? undefined : plan.wakeAtMs - nowMs;
    if (!hasScaled) {
      wakeMs = earliest(wakeMs, reconcilePauseStep(parts.rollout, decision, { nowMs, speed }));
    }
  }
  writeStatus(context, parts.rollout, computeStatus(context, { parts, decision, analysis, experiment, isReset }));
  return earliest(wakeMs, restartWakeMs);
}

function isTemplateOrStepsChanged({ status, spec }: Rollout): boolean {
  const steps = spec.strategy.canary?.steps ?? [];
  return (
    status.currentStepHash !== computeStepHash(steps) ||
    (status.currentPodHash !== undefined && status.currentPodHash !== computePodTemplateHash(spec.template))
  );
}
