import type { Rollout, RolloutPhase, RolloutSpec, RolloutStatus } from "./rollout-types.ts";

/** The phase and message as utils/rollout/rolloututil.go CalculateRolloutPhase gives them for a canary. */
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
  if (spec.strategy.canary?.trafficRouting === undefined && (status.replicas ?? 0) > updated) {
    return "old replicas are pending termination";
  }
  if (status.stableRS === undefined || status.stableRS !== status.currentPodHash) {
    return "waiting for all steps to complete";
  }
  return undefined;
}

/** All replicas updated and available, all steps done, and the new version the stable one. */
export function isHealthy(rollout: Rollout, next: RolloutStatus): boolean {
  const replicas = rollout.spec.replicas ?? 1;
  const stepCount = rollout.spec.strategy.canary?.steps?.length ?? 0;
  return (
    next.updatedReplicas === replicas &&
    next.availableReplicas === replicas &&
    next.replicas === replicas &&
    rollout.status.observedGeneration === String(rollout.metadata.generation ?? 0) &&
    (stepCount === 0 || next.currentStepIndex === undefined || next.currentStepIndex === stepCount) &&
    isCompleted(next)
  );
}

export function isCompleted(status: RolloutStatus): boolean {
  return status.stableRS !== undefined && status.stableRS === status.currentPodHash;
}
