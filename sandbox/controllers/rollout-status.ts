import { announcePromotion, rolloutObject } from "./announce-changes.ts";
import { isPauseOver } from "./canary-pause.ts";
import {
  currentSetWeight,
  currentStep,
  describeStep,
  isFullyPromoted,
  maxTrafficWeight,
  stepsOf,
  weightSetAt,
} from "./canary-steps.ts";
import { isFastRollback, isRollbackWithinWindow } from "./fast-rollback.ts";
import { applyPauseDecision, isAborted, type PauseDecision } from "./pause-state.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import type { AnalysisOutcome } from "./reconcile-rollout-analysis.ts";
import { desiredReplicas, hasTrafficRouting, isAtDesiredReplicas, sumReplicas } from "./replica-counts.ts";
import { applyConditions } from "./rollout-conditions.ts";
import type { ExperimentOutcome } from "./rollout-experiments.ts";
import {
  hashOf,
  type LabelSelector,
  type RolloutParts,
  type RolloutStatus,
  type TrafficWeights,
  WORKLOAD_GENERATION_ANNOTATION,
} from "./rollout-types.ts";
import { computeStepHash } from "./template-hash.ts";

/** Findings and decisions of one pass; `isReset` marks the pass that sees a new template or new steps. */
export type Pass = {
  parts: RolloutParts;
  decision: PauseDecision;
  analysis?: AnalysisOutcome;
  experiment?: ExperimentOutcome;
  isReset: boolean;
};

/** Computes the whole new status at the end of a pass, except phase and observedGeneration. */
export function computeStatus(context: ReconcileContext, pass: Pass): RolloutStatus {
  const { parts, decision, isReset } = pass;
  const { rollout } = parts;
  const next = computeCanaryStatus(pass);
  if (isReset) {
    resetStatus(context, parts, decision, next);
  } else {
    advanceStatus(context, pass, next);
  }
  applyPauseDecision({ rollout, decision, next, nowMs: context.nowMs });
  const abortMessage = isAborted(rollout, decision) ? (decision.abortMessage ?? "") : undefined;
  applyConditions({ parts, next, abortMessage, nowMs: context.nowMs });
  return next;
}

/** Computes the fields that both strategies have (rollout/sync.go calculateBaseStatus of argo-rollouts at 9f8d111). */
export function computeCommonStatus({ rollout, newSet, all }: RolloutParts): RolloutStatus {
  const { status, spec, metadata } = rollout;
  const workload = metadata.annotations?.[WORKLOAD_GENERATION_ANNOTATION];
  return {
    currentPodHash: hashOf(newSet),
    stableRS: status.stableRS,
    replicas: sumReplicas(all, "replicas"),
    updatedReplicas: newSet?.status.replicas ?? 0,
    readyReplicas: sumReplicas(all, "readyReplicas"),
    availableReplicas: sumReplicas(all, "availableReplicas"),
    HPAReplicas: sumReplicas(all, "replicas"),
    selector: formatSelector(spec.selector),
    restartedAt: status.restartedAt,
    ...(spec.workloadRef == null ? {} : { workloadObservedGeneration: workload ?? "0" }),
    canary: {},
    blueGreen: {},
    conditions: (status.conditions ?? []).filter(({ type }) => type !== "InvalidSpec"),
  };
}

/** Formats a label selector, in the order of its keys. */
export function formatSelector(selector: LabelSelector | undefined): string {
  const labels = Object.entries(selector?.matchLabels ?? {}).sort(([left], [right]) => (left < right ? -1 : 1));
  return labels.map(([key, value]) => `${key}=${value}`).join(",");
}

function computeCanaryStatus(pass: Pass): RolloutStatus {
  const { parts, decision, analysis, experiment } = pass;
  const { rollout } = parts;
  const next = computeCommonStatus(parts);
  const weights = computeTrafficWeights(parts, { isAborted: isAborted(rollout, decision), experiment });
  const isUnfinished = next.currentPodHash !== rollout.status.stableRS;
  return {
    ...next,
    currentStepHash: computeStepHash(stepsOf(rollout)),
    promoteFull: isUnfinished && rollout.status.promoteFull === true ? true : undefined,
    canary: {
      ...(weights === undefined ? {} : { weights }),
      ...(analysis?.step === undefined ? {} : { currentStepAnalysisRunStatus: analysis.step }),
      ...(analysis?.background === undefined ? {} : { currentBackgroundAnalysisRunStatus: analysis.background }),
      ...(experiment?.current === undefined ? {} : { currentExperiment: experiment.current }),
    },
  };
}

/**
 * Resets the status for a new template or new steps; on the way back to the stable template, all steps count as done.
 */
function resetStatus(
  { events }: ReconcileContext,
  parts: RolloutParts,
  decision: PauseDecision,
  next: RolloutStatus,
): void {
  const { rollout, newSet } = parts;
  const stepCount = stepsOf(rollout).length;
  decision.clear = true;
  decision.removeAbort = true;
  next.promoteFull = undefined;
  next.restartedAt = rollout.spec.restartAt;
  next.canary = rollout.status.canary?.weights === undefined ? {} : { weights: rollout.status.canary.weights };
  if (stepCount === 0) {
    return;
  }
  next.currentStepIndex = 0;
  const isBackOnStable = rollout.status.stableRS === hashOf(newSet);
  if (isBackOnStable || (isRollbackWithinWindow(parts) && (newSet?.spec.replicas ?? 0) > 0)) {
    const target = isBackOnStable ? "stable ReplicaSets" : "active ReplicaSets within RollbackWindow";
    events.emit(rolloutObject(rollout), { reason: "SkipSteps", message: `Rollback to ${target}` });
    next.currentStepIndex = stepCount;
  }
}

function advanceStatus(context: ReconcileContext, pass: Pass, next: RolloutStatus): void {
  const { parts, decision } = pass;
  const { rollout } = parts;
  const stepCount = stepsOf(rollout).length;
  let { step, index } = currentStep(rollout);
  const isSkipping = rollout.status.promoteFull === true || isRollbackWithinWindow(parts);
  if (isSkipping) {
    decision.clear = true;
    decision.removeAbort = true;
    index = stepCount > 0 ? stepCount : index;
  }
  const reason = promotionReason(parts, decision);
  if (reason !== undefined) {
    promote(context, pass, next, reason);
    return;
  }
  if (isAborted(rollout, decision)) {
    if (stepCount > 0) {
      next.currentStepIndex = next.stableRS === next.currentPodHash ? stepCount : 0;
    }
    return;
  }
  if (step !== undefined && index !== undefined && !isSkipping && isStepCompleted(context, pass)) {
    index += 1;
    delete next.canary?.currentStepAnalysisRunStatus;
    decision.remove.push("CanaryPauseStep");
    const message = `Rollout step ${index}/${stepCount} completed (${describeStep(step)})`;
    context.events.emit(rolloutObject(rollout), { reason: "RolloutStepCompleted", message });
  }
  next.currentStepIndex = index;
}

/** Makes the new version the stable one (rollout/sync.go promoteStable). */
function promote(context: ReconcileContext, { parts, decision }: Pass, next: RolloutStatus, reason: string): void {
  const stepCount = stepsOf(parts.rollout).length;
  decision.clear = true;
  decision.removeAbort = true;
  next.promoteFull = undefined;
  announcePromotion(context, parts, { reason, hash: next.currentPodHash });
  next.stableRS = next.currentPodHash;
  next.currentStepIndex = stepCount > 0 ? stepCount : undefined;
}

/** Returns why the new version is the stable one now; undefined if it is not (rollout/sync.go shouldFullPromote). */
function promotionReason(parts: RolloutParts, decision: PauseDecision): string | undefined {
  const { rollout, newSet, stable } = parts;
  if (stable === undefined) {
    return "Initial deploy";
  }
  if (isAborted(rollout, decision) || newSet === undefined) {
    return undefined;
  }
  if (newSet.status.availableReplicas < desiredReplicas(rollout)) {
    return undefined;
  }
  if (rollout.status.promoteFull === true) {
    return "Full promotion requested";
  }
  if (isFastRollback(parts, false)) {
    return isRollbackWithinWindow(parts) ? "Rollback within window" : "Fast rollback";
  }
  const stepCount = stepsOf(rollout).length;
  const isAllDone = stepCount === 0 || rollout.status.currentStepIndex === stepCount;
  return isAllDone ? `Completed all ${stepCount} canary steps` : undefined;
}

function isStepCompleted(context: ReconcileContext, { parts, analysis, experiment }: Pass): boolean {
  const { rollout } = parts;
  const { step } = currentStep(rollout);
  if (rollout.spec.paused === true || step === undefined) {
    return false;
  }
  if (step.pause !== undefined) {
    return isPauseOver(rollout, context);
  }
  if (step.experiment !== undefined) {
    return experiment?.isSuccessful === true;
  }
  if (step.analysis !== undefined) {
    return analysis?.step?.status === "Successful";
  }
  if (step.setWeight !== undefined || step.setCanaryScale !== undefined) {
    return isAtDesiredReplicas(parts);
  }
  return step.setHeaderRoute !== undefined || step.setMirrorRoute !== undefined;
}

/**
 * Computes the weights for the traffic router, in the order of cases of rollout/trafficrouting.go
 * reconcileTrafficRouting (argo-rollouts at 9f8d111). Absent without a router. Invariant: the weight never runs ahead
 * of available replicas. While a step is still scaling, the previous step's weight stays.
 */
function computeTrafficWeights(
  parts: RolloutParts,
  pass: { isAborted: boolean; experiment?: ExperimentOutcome | undefined },
): TrafficWeights | undefined {
  const { rollout, newSet, stable } = parts;
  if (!hasTrafficRouting(rollout)) {
    return undefined;
  }
  const canary = rollout.spec.strategy.canary;
  const weight = computeCanaryWeight(parts, pass.isAborted);
  const isTesting = !pass.isAborted && !isFullyPromoted(rollout) && rollout.status.promoteFull !== true;
  const additional = isTesting ? (pass.experiment?.destinations ?? []) : [];
  const elsewhere = additional.reduce((sum, destination) => sum + destination.weight, 0);
  return {
    canary: { weight, ...serviceOf(canary?.canaryService), podTemplateHash: hashOf(newSet) },
    stable: {
      weight: maxTrafficWeight(rollout) - weight - elsewhere,
      ...serviceOf(canary?.stableService),
      podTemplateHash: hashOf(stable ?? newSet),
    },
    ...(additional.length === 0 ? {} : { additional }),
  };
}

function computeCanaryWeight(parts: RolloutParts, isAborted: boolean): number {
  const { rollout, newSet } = parts;
  if (isFullyPromoted(rollout) || isAborted || newSet === undefined || newSet.status.availableReplicas === 0) {
    return 0;
  }
  if (rollout.status.promoteFull === true) {
    return rollout.status.canary?.weights?.canary.weight ?? 0;
  }
  const { index } = currentStep(rollout);
  if (index === undefined) {
    return 0;
  }
  return isAtDesiredReplicas(parts) ? currentSetWeight(rollout) : weightSetAt(stepsOf(rollout), index - 1);
}

function serviceOf(serviceName: string | undefined): { serviceName?: string } {
  return serviceName === undefined ? {} : { serviceName };
}
