import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { currentStep, isFullyPromoted, stepsOf } from "./canary-steps.ts";
import { parseDurationMs, parseTime } from "./clock.ts";
import type { PauseDecision } from "./pause-state.ts";
import { applyPauseDecision, findPause, isAborted, newPauseDecision } from "./pause-state.ts";
import { planScaling } from "./plan-scaling.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import { ROLLOUTS_MANAGER } from "./reconcile-context.ts";
import type { AnalysisOutcome } from "./reconcile-rollout-analysis.ts";
import { reconcileRolloutAnalysis } from "./reconcile-rollout-analysis.ts";
import type { RolloutParts } from "./replica-counts.ts";
import { desiredReplicas, isAtDesiredReplicas, sumReplicas } from "./replica-counts.ts";
import { deleteOldReplicaSets, loadParts, scaleReplicaSet, syncRevision } from "./replica-sets.ts";
import { applyConditions, findCondition, planPauseConditions, setCondition } from "./rollout-conditions.ts";
import { computePhase } from "./rollout-phase.ts";
import type { Rollout, RolloutStatus } from "./rollout-types.ts";
import { hashOf, viewRollout } from "./rollout-types.ts";
import { computePodTemplateHash, computeStepHash } from "./template-hash.ts";
import { computeTrafficWeights } from "./traffic-weights.ts";
import { validateRollout } from "./validate-rollout.ts";

/** How long a restart of all pods takes, as the Rollout shows it. */
const RESTART_MS = 4000;

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
    finishPass(context, object, { parts, decision: newPauseDecision(), isReset: true });
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
  finishPass(context, object, { parts, decision, analysis, isReset: false });
  return earliest(wakeMs, restartWakeMs(parts.rollout, { nowMs, speed }), stuckWakeMs(parts.rollout, nowMs));
}

function isTemplateOrStepsChanged({ status, spec }: Rollout): boolean {
  const steps = spec.strategy.canary?.steps ?? [];
  return (
    (status.currentStepHash !== undefined && status.currentStepHash !== computeStepHash(steps)) ||
    (status.currentPodHash !== undefined && status.currentPodHash !== computePodTemplateHash(spec.template))
  );
}

/** Starts the pause of a pause step, or tells when a timed one is over. */
function reconcilePauseStep(
  rollout: Rollout,
  decision: PauseDecision,
  time: { nowMs: number; speed: number },
): number | undefined {
  const { step } = currentStep(rollout);
  const isIdle = rollout.spec.paused === true || rollout.status.promoteFull === true || rollout.status.abort === true;
  if (isIdle || step?.pause === undefined || rollout.status.stableRS === undefined || isFullyPromoted(rollout)) {
    return undefined;
  }
  const pause = findPause(rollout.status, "CanaryPauseStep");
  if (pause === undefined) {
    if (rollout.status.controllerPause !== true) {
      decision.add.push("CanaryPauseStep");
    }
    return undefined;
  }
  const endMs = pauseEndMs(rollout, time.speed);
  return endMs === undefined ? undefined : Math.max(endMs - time.nowMs, 0) + 1;
}

function pauseEndMs(rollout: Rollout, speed: number): number | undefined {
  const durationMs = parseDurationMs(currentStep(rollout).step?.pause?.duration);
  const startMs = parseTime(findPause(rollout.status, "CanaryPauseStep")?.startTime);
  return durationMs === undefined || startMs === undefined ? undefined : startMs + durationMs / speed;
}

type Pass = { parts: RolloutParts; decision: PauseDecision; analysis?: AnalysisOutcome; isReset: boolean };

function finishPass(context: ReconcileContext, object: KubeObject, pass: Pass): void {
  const { parts, decision, isReset } = pass;
  const { rollout } = parts;
  const next = computeBaseStatus(context, pass);
  if (isReset) {
    resetStatus(parts, decision, next);
  } else {
    advanceStatus(context, pass, next);
  }
  applyPauseDecision({ rollout, decision, next, nowMs: context.nowMs });
  applyConditions({
    rollout,
    next,
    newSetName: parts.newSet?.metadata.name ?? rollout.metadata.name,
    abortMessage: isAborted(rollout, decision) ? (decision.abortMessage ?? "") : undefined,
    nowMs: context.nowMs,
  });
  writeStatus(context, object, rollout, next);
}

function computeBaseStatus(context: ReconcileContext, { parts, decision, analysis }: Pass): RolloutStatus {
  const { rollout, newSet, all } = parts;
  const { status, spec } = rollout;
  const currentPodHash = hashOf(newSet);
  const weights = computeTrafficWeights(parts, isAborted(rollout, decision));
  const conditions = (status.conditions ?? []).filter(({ type }) => type !== "InvalidSpec");
  return {
    currentPodHash,
    stableRS: status.stableRS,
    currentStepHash: computeStepHash(stepsOf(rollout)),
    replicas: sumReplicas(all, "replicas"),
    updatedReplicas: newSet?.status.replicas ?? 0,
    readyReplicas: sumReplicas(all, "readyReplicas"),
    availableReplicas: sumReplicas(all, "availableReplicas"),
    HPAReplicas: sumReplicas(all, "replicas"),
    selector: Object.entries(spec.selector.matchLabels ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .join(","),
    restartedAt: computeRestartedAt(rollout, context),
    promoteFull: currentPodHash !== status.stableRS && status.promoteFull === true ? true : undefined,
    canary: {
      ...(weights === undefined ? {} : { weights }),
      ...(analysis?.step === undefined ? {} : { currentStepAnalysisRunStatus: analysis.step }),
      ...(analysis?.background === undefined ? {} : { currentBackgroundAnalysisRunStatus: analysis.background }),
    },
    blueGreen: {},
    conditions,
  };
}

/** A new template or new steps: everything starts again; back on the stable template all steps count as done. */
function resetStatus({ rollout, newSet }: RolloutParts, decision: PauseDecision, next: RolloutStatus): void {
  const stepCount = stepsOf(rollout).length;
  decision.clear = true;
  decision.removeAbort = true;
  next.promoteFull = undefined;
  next.restartedAt = rollout.spec.restartAt;
  next.canary = rollout.status.canary?.weights === undefined ? {} : { weights: rollout.status.canary.weights };
  if (stepCount > 0) {
    next.currentStepIndex = rollout.status.stableRS === hashOf(newSet) ? stepCount : 0;
  }
}

function advanceStatus(context: ReconcileContext, pass: Pass, next: RolloutStatus): void {
  const { parts, decision, analysis } = pass;
  const { rollout } = parts;
  const stepCount = stepsOf(rollout).length;
  let index = currentStep(rollout).index;
  if (rollout.status.promoteFull === true) {
    decision.clear = true;
    decision.removeAbort = true;
    index = stepCount > 0 ? stepCount : index;
  }
  if (isPromotionDue(parts, decision)) {
    decision.clear = true;
    decision.removeAbort = true;
    next.promoteFull = undefined;
    next.stableRS = next.currentPodHash;
    next.currentStepIndex = stepCount > 0 ? stepCount : undefined;
    return;
  }
  if (isAborted(rollout, decision)) {
    if (stepCount > 0) {
      next.currentStepIndex = next.stableRS === next.currentPodHash ? stepCount : 0;
    }
    return;
  }
  const isSkipping = rollout.status.promoteFull === true;
  if (index !== undefined && !isSkipping && isStepCompleted(context, parts, analysis)) {
    index += 1;
    delete next.canary?.currentStepAnalysisRunStatus;
    decision.remove.push("CanaryPauseStep");
  }
  next.currentStepIndex = index;
}

function isPromotionDue({ rollout, newSet, stable }: RolloutParts, decision: PauseDecision): boolean {
  if (stable === undefined) {
    return true;
  }
  if (isAborted(rollout, decision) || newSet === undefined) {
    return false;
  }
  if (newSet.status.availableReplicas < desiredReplicas(rollout)) {
    return false;
  }
  const stepCount = stepsOf(rollout).length;
  const isBackOnStable = rollout.status.stableRS === hashOf(newSet);
  const isAllDone = stepCount === 0 || rollout.status.currentStepIndex === stepCount;
  return rollout.status.promoteFull === true || isBackOnStable || isAllDone;
}

function isStepCompleted(context: ReconcileContext, parts: RolloutParts, analysis?: AnalysisOutcome): boolean {
  const { rollout } = parts;
  const { step } = currentStep(rollout);
  if (rollout.spec.paused === true || step === undefined) {
    return false;
  }
  if (step.pause !== undefined) {
    const pause = findPause(rollout.status, "CanaryPauseStep");
    if (rollout.status.controllerPause === true && pause === undefined) {
      return true;
    }
    const endMs = pauseEndMs(rollout, context.speed);
    return endMs !== undefined && context.nowMs > endMs;
  }
  if (step.analysis !== undefined) {
    return analysis?.step?.status === "Successful";
  }
  if (step.setWeight !== undefined || step.setCanaryScale !== undefined) {
    return isAtDesiredReplicas(parts);
  }
  return step.setHeaderRoute !== undefined || step.setMirrorRoute !== undefined;
}

function computeRestartedAt({ spec, status }: Rollout, { nowMs, speed }: ReconcileContext): string | undefined {
  const askedMs = parseTime(spec.restartAt);
  if (askedMs === undefined || nowMs < askedMs + RESTART_MS / speed) {
    return status.restartedAt;
  }
  return spec.restartAt;
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
