import { isPauseOver } from "./canary-pause.ts";
import { currentStep, stepsOf } from "./canary-steps.ts";
import { parseTime } from "./clock.ts";
import type { PauseDecision } from "./pause-state.ts";
import { applyPauseDecision, isAborted } from "./pause-state.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import type { AnalysisOutcome } from "./reconcile-rollout-analysis.ts";
import type { RolloutParts } from "./replica-counts.ts";
import { desiredReplicas, isAtDesiredReplicas, sumReplicas } from "./replica-counts.ts";
import { applyConditions } from "./rollout-conditions.ts";
import type { Rollout, RolloutStatus } from "./rollout-types.ts";
import { hashOf } from "./rollout-types.ts";
import { computeStepHash } from "./template-hash.ts";
import { computeTrafficWeights } from "./traffic-weights.ts";

/** How long a restart of all pods takes, as the Rollout shows it. */
export const RESTART_MS = 4000;

/** What one pass has found and decided; `isReset` marks the pass that meets a new template or new steps. */
export type Pass = { parts: RolloutParts; decision: PauseDecision; analysis?: AnalysisOutcome; isReset: boolean };

/** The whole new status at the end of a pass, phase and observedGeneration aside. */
export function computeStatus(context: ReconcileContext, pass: Pass): RolloutStatus {
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
  return next;
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
    return isPauseOver(rollout, context);
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
