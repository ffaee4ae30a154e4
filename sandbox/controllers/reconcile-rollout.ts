import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { earliest, parseTime } from "./clock.ts";
import { reconcileBlueGreen } from "./reconcile-blue-green.ts";
import { reconcileCanary } from "./reconcile-canary.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import { ensureNewReplicaSet } from "./replica-sets.ts";
import {
  isMigrating,
  noteWorkloadGeneration,
  refreshRollout,
  resolveRollout,
  scaleWorkload,
} from "./resolve-workload.ts";
import { findCondition, planPauseConditions } from "./rollout-conditions.ts";
import type { Rollout } from "./rollout-types.ts";
import { viewRollout } from "./rollout-types.ts";
import { computePodTemplateHash } from "./template-hash.ts";
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
