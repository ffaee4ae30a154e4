import { isCompleted as isCompletedPhase } from "#lib/domain/argo/analysis/phase.ts";
import type { BlueGreenStrategy, Rollout, RolloutPhase, RolloutSpec, RolloutStatus } from "./rollout-types.ts";

/** Computes the phase and message of utils/rollout/rolloututil.go CalculateRolloutPhase (argo-rollouts at 9f8d111). */
export function computePhase(spec: RolloutSpec, status: RolloutStatus): { phase: RolloutPhase; message?: string } {
  for (const condition of status.conditions ?? []) {
    if (condition.type === "InvalidSpec") {
      return { phase: "Degraded", message: `InvalidSpec: ${condition.message}` };
    }
    if (condition.reason === "RolloutAborted" || condition.reason === "ProgressDeadlineExceeded") {
      return { phase: "Degraded", message: `${condition.reason}: ${condition.message}` };
    }
  }
  if (spec.paused === true) {
    return { phase: "Paused", message: "manually paused" };
  }
  const pause = status.pauseConditions?.[0];
  if (pause !== undefined) {
    return { phase: "Paused", message: pause.reason };
  }
  const progress = describeProgress(spec, status);
  return progress === undefined ? { phase: "Healthy" } : { phase: "Progressing", message: progress };
}

function describeProgress(spec: RolloutSpec, status: RolloutStatus): string | undefined {
  const updated = status.updatedReplicas ?? 0;
  if (spec.restartAt !== undefined && spec.restartAt !== status.restartedAt) {
    return "rollout is restarting";
  }
  if (updated < (spec.replicas ?? 1)) {
    return "more replicas need to be updated";
  }
  if ((status.availableReplicas ?? 0) < updated) {
    return "updated replicas are still becoming available";
  }
  if (spec.strategy.blueGreen != null) {
    return describeSwitch(spec.strategy.blueGreen, status);
  }
  if (spec.strategy.canary?.trafficRouting === undefined && (status.replicas ?? 0) > updated) {
    return "old replicas are pending termination";
  }
  if (status.stableRS === undefined || status.stableRS !== status.currentPodHash) {
    return "waiting for all steps to complete";
  }
  return undefined;
}

function describeSwitch(strategy: BlueGreenStrategy, status: RolloutStatus): string | undefined {
  const { activeSelector, postPromotionAnalysisRunStatus: post } = status.blueGreen ?? {};
  if (activeSelector === undefined || activeSelector !== status.currentPodHash) {
    return "active service cutover pending";
  }
  if (isCompleted(status)) {
    return undefined;
  }
  const isAnalysing = strategy.postPromotionAnalysis !== undefined && !isCompletedPhase(post?.status);
  return isAnalysing ? "waiting for analysis to complete" : "waiting for post-promotion verification to complete";
}

/**
 * Returns whether all replicas are updated and available, and the strategy is complete. For a canary: all steps done,
 * the new version stable and the old one gone. For blue-green: both Services on the new one
 * (utils/conditions/conditions.go RolloutHealthy).
 */
export function isHealthy(rollout: Rollout, next: RolloutStatus): boolean {
  const replicas = rollout.spec.replicas ?? 1;
  const { blueGreen } = rollout.spec.strategy;
  return (
    next.updatedReplicas === replicas &&
    next.availableReplicas === replicas &&
    rollout.status.observedGeneration === String(rollout.metadata.generation ?? 0) &&
    (blueGreen == null ? isCanaryAtEnd(rollout, next) : isSwitched(blueGreen, next))
  );
}

function isCanaryAtEnd({ spec }: Rollout, next: RolloutStatus): boolean {
  const stepCount = spec.strategy.canary?.steps?.length ?? 0;
  const hasAllSteps = stepCount === 0 || next.currentStepIndex === undefined || next.currentStepIndex === stepCount;
  return hasAllSteps && isCompleted(next) && next.replicas === (spec.replicas ?? 1);
}

function isSwitched(strategy: BlueGreenStrategy, next: RolloutStatus): boolean {
  const { activeSelector, previewSelector } = next.blueGreen ?? {};
  const hasPreview = strategy.previewService === undefined || previewSelector === next.currentPodHash;
  return hasPreview && activeSelector === next.currentPodHash;
}

export function isCompleted(status: RolloutStatus): boolean {
  return status.stableRS !== undefined && status.stableRS === status.currentPodHash;
}
