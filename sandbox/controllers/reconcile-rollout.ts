import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { reconcilePauseStep } from "./canary-pause.ts";
import { isFullyPromoted } from "./canary-steps.ts";
import { parseTime } from "./clock.ts";
import { newPauseDecision } from "./pause-state.ts";
import { planScaling } from "./plan-scaling.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import { ROLLOUTS_MANAGER } from "./reconcile-context.ts";
import { reconcileRolloutAnalysis } from "./reconcile-rollout-analysis.ts";
import { deleteOldReplicaSets, loadParts, scaleReplicaSet, syncRevision } from "./replica-sets.ts";
import { findCondition, planPauseConditions, setCondition } from "./rollout-conditions.ts";
import { computePhase } from "./rollout-phase.ts";
import { computeStatus, RESTART_MS } from "./rollout-status.ts";
import type { Rollout, RolloutStatus } from "./rollout-types.ts";
import { viewRollout } from "./rollout-types.ts";
import { computePodTemplateHash, computeStepHash } from "./template-hash.ts";
import { validateRollout } from "./validate-rollout.ts";

/**
 * One pass over a canary Rollout: conditions of a pause first, then revision, scaling, analysis, pause and status, in
 * the order of rollout/canary.go rolloutCanary (argo-rollouts at 9f8d111). Returns when to look again, in ms.
 */
export function reconcileRollout(context: ReconcileContext, object: KubeObject): number | undefined {
  const { store, nowMs, speed } = context;
  const rollout = viewRollout(object);
  const invalid = validateRollout(store, rollout);
  if (invalid !== undefined) {
    writeInvalid(context, object, rollout, invalid);
    return undefined;
  }
  const pauseStatus = planPauseConditions(rollout, nowMs);
  if (pauseStatus !== undefined) {
    writeStatus(context, object, rollout, pauseStatus);
    return 0;
  }
  if (isTemplateOrStepsChanged(rollout)) {
    const parts = syncRevision(context, loadParts(store, rollout));
    writeStatus(
      context,
      object,
      parts.rollout,
      computeStatus(context, { parts, decision: newPauseDecision(), isReset: true }),
    );
    return 0;
  }
  const parts = syncRevision(context, loadParts(store, rollout));
  // An abort that comes after the promotion has nothing left to abort, and is dropped without a word.
  const decision = { ...newPauseDecision(), removeAbort: isFullyPromoted(parts.rollout) };
  deleteOldReplicaSets(context, parts);
  const analysis = reconcileRolloutAnalysis(context, parts, decision);
  let wakeMs: number | undefined;
  if (decision.add.length === 0) {
    const plan = planScaling(parts, { nowMs, speed });
    const scaled = plan.orders.filter((order) => scaleReplicaSet(context, parts.rollout, order));
    wakeMs = plan.wakeAtMs === undefined ? undefined : plan.wakeAtMs - nowMs;
    if (scaled.length === 0) {
      wakeMs = earliest(wakeMs, reconcilePauseStep(parts.rollout, decision, { nowMs, speed }));
    }
  }
  writeStatus(context, object, parts.rollout, computeStatus(context, { parts, decision, analysis, isReset: false }));
  return earliest(wakeMs, restartWakeMs(parts.rollout, { nowMs, speed }), stuckWakeMs(parts.rollout, nowMs));
}

function isTemplateOrStepsChanged({ status, spec }: Rollout): boolean {
  const steps = spec.strategy.canary?.steps ?? [];
  return (
    (status.currentStepHash !== undefined && status.currentStepHash !== computeStepHash(steps)) ||
    (status.currentPodHash !== undefined && status.currentPodHash !== computePodTemplateHash(spec.template))
  );
}

function restartWakeMs({ spec, status }: Rollout, time: { nowMs: number; speed: number }): number | undefined {
  const askedMs = parseTime(spec.restartAt);
  const isPending = askedMs !== undefined && spec.restartAt !== status.restartedAt;
  return isPending ? Math.max(askedMs + RESTART_MS / time.speed - time.nowMs, 0) + 1 : undefined;
}

/** When the progress deadline should be checked: nothing else would wake a Rollout that is stuck. */
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

function earliest(...delays: (number | undefined)[]): number | undefined {
  const known = delays.filter((delay) => delay !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

function writeInvalid(context: ReconcileContext, object: KubeObject, rollout: Rollout, message: string): void {
  const next: RolloutStatus = { ...rollout.status };
  const current = findCondition(next, "InvalidSpec");
  if (current?.message !== message) {
    next.conditions = (next.conditions ?? []).filter(({ type }) => type !== "InvalidSpec");
  }
  setCondition(next, { type: "InvalidSpec", status: "True", reason: "InvalidSpec", message }, context.nowMs);
  writeStatus(context, object, rollout, next);
}

/** Writes the whole status; the store raises no event where nothing changed. Absent fields leave no trace. */
function writeStatus(context: ReconcileContext, object: KubeObject, rollout: Rollout, next: RolloutStatus): void {
  const status: RolloutStatus = {
    ...next,
    observedGeneration: String(object.metadata.generation ?? 0),
    phase: undefined,
    message: undefined,
  };
  Object.assign(status, computePhase(rollout.spec, status));
  const plain = JSON.parse(JSON.stringify(status)) as Record<string, unknown>;
  // The revision annotation may have moved since the pass began: take the newest object, replace only its status.
  const latest = context.store.get("rollouts", object.metadata.namespace, object.metadata.name);
  if (latest?.metadata.uid === object.metadata.uid) {
    context.store.update(
      "rollouts",
      { ...latest, status: plain },
      { manager: ROLLOUTS_MANAGER, subresource: "status" },
    );
  }
}
