import { isCompleted } from "#lib/domain/argo/analysis/phase.ts";
import { type RolloutObject, stepsOf } from "#lib/domain/argo/objects/rollout-object.ts";
import { maxWeightOf, trafficShareOf } from "#lib/domain/argo/view/weights.ts";
import { manuallyPaused } from "../words.ts";

export type RolloutPhase = "Healthy" | "Progressing" | "Paused" | "Degraded" | "Unknown";
export type RolloutStatus = { phase: RolloutPhase; message: string };

const knownPhases: readonly string[] = ["Healthy", "Progressing", "Paused", "Degraded"];

/**
 * Computes phase and message as `kubectl argo rollouts` shows them. A change that the controller has not yet observed
 * outranks the phase that it wrote. Without a phase (controllers before 1.0) it is computed as the controller would.
 * Source: argo-rollouts utils/rollout/rolloututil.go GetRolloutPhase.
 */
export function computeRolloutStatus(rollout: RolloutObject): RolloutStatus {
  const { status } = rollout;
  if (!isGenerationObserved(status.observedGeneration, rollout.metadata.generation ?? 0))
    return progressing("waiting for rollout spec update to be observed");
  if (status.controllerPause && (status.pauseConditions ?? []).length === 0)
    return progressing("waiting for rollout to unpause");
  if (rollout.spec.workloadRef !== undefined && !isWorkloadGenerationObserved(rollout))
    return progressing("waiting for rollout spec update to be observed for the reference workload");
  if (status.phase === "") return computeFromParts(rollout);
  return knownPhases.includes(status.phase)
    ? { phase: status.phase as RolloutPhase, message: status.message }
    : { phase: "Unknown", message: `${status.phase}${status.message === "" ? "" : `: ${status.message}`}` };
}

/** Returns whether stableRS equals currentPodHash, also if both are absent (utils/rollout IsFullyPromoted). */
export function isFullyPromoted(status: { stableRS: string; currentPodHash: string }): boolean {
  return status.stableRS === status.currentPodHash;
}

/**
 * Returns whether it is observed. Text that is not a number counts as observed: old controllers wrote a hash there
 * (isGenerationObserved).
 */
export function isGenerationObserved(observedGeneration: string, generation: number): boolean {
  const observed = parseGoInt(observedGeneration, 64n);
  return observed === undefined || observed >= BigInt(generation);
}

function isWorkloadGenerationObserved(rollout: RolloutObject): boolean {
  const annotation = rollout.metadata.annotations["rollout.argoproj.io/workload-generation"];
  return isWorkloadObserved(annotation, rollout.status.workloadObservedGeneration);
}

/**
 * Returns whether it is observed; true if the annotation or the status is not a 32-bit number
 * (isWorkloadGenerationObserved).
 */
export function isWorkloadObserved(annotation: string | undefined, observedGeneration: string): boolean {
  const wanted = annotation === undefined ? undefined : parseGoInt(annotation, 32n);
  const observed = parseGoInt(observedGeneration, 32n);
  return wanted === undefined || observed === undefined || wanted === observed;
}

function parseGoInt(text: string, bits: bigint): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.replace("+", ""));
  const limit = 2n ** (bits - 1n);
  return value >= -limit && value < limit ? value : undefined;
}

function progressing(message: string): RolloutStatus {
  return { phase: "Progressing", message };
}

/** Mirrors upstream's CalculateRolloutPhase: the first matching rule decides. */
function computeFromParts(rollout: RolloutObject): RolloutStatus {
  const { spec, status } = rollout;
  for (const condition of status.conditions ?? []) {
    if (condition.type === "InvalidSpec") return { phase: "Degraded", message: `InvalidSpec: ${condition.message}` };
    if (condition.reason === "RolloutAborted" || condition.reason === "ProgressDeadlineExceeded")
      return { phase: "Degraded", message: `${condition.reason}: ${condition.message}` };
  }
  if (spec.paused) return { phase: "Paused", message: manuallyPaused };
  const pause = status.pauseConditions?.[0];
  if (pause !== undefined) return { phase: "Paused", message: pause.reason };
  if (isRestarting(spec.restartAt, status.restartedAt)) return progressing("rollout is restarting");
  if (status.updatedReplicas < (spec.replicas ?? 1)) return progressing("more replicas need to be updated");
  if (status.availableReplicas < status.updatedReplicas)
    return progressing("updated replicas are still becoming available");
  return computeFromStrategy(rollout);
}

function isRestarting(restartAt: string | undefined, restartedAt: string | undefined): boolean {
  return restartAt !== undefined && (restartedAt === undefined || Date.parse(restartAt) !== Date.parse(restartedAt));
}

function computeFromStrategy(rollout: RolloutObject): RolloutStatus {
  const { spec, status } = rollout;
  const isStable = status.stableRS !== "" && isFullyPromoted(status);
  if (spec.strategy.blueGreen !== undefined) {
    const active = status.blueGreen?.activeSelector ?? "";
    if (active === "" || active !== status.currentPodHash) return progressing("active service cutover pending");
    if (!isStable)
      return progressing(
        isWaitingForPostPromotion(rollout)
          ? "waiting for analysis to complete"
          : "waiting for post-promotion verification to complete",
      );
  } else if (spec.strategy.canary !== undefined) {
    if (spec.strategy.canary.trafficRouting === undefined && status.replicas > status.updatedReplicas)
      return progressing("old replicas are pending termination");
    if (!isStable) return progressing("waiting for all steps to complete");
  }
  return { phase: "Healthy", message: "" };
}

function isWaitingForPostPromotion(rollout: RolloutObject): boolean {
  if (rollout.spec.strategy.blueGreen?.postPromotionAnalysis === undefined) return false;
  const run = rollout.status.blueGreen?.postPromotionAnalysisRunStatus?.status;
  return !isCompleted(run);
}

/**
 * Returns the traffic percentage that the strategy requests now; 100 without a current step, 0 while aborted
 * (GetCurrentSetWeight).
 */
export function computeSetWeight(rollout: RolloutObject): number {
  if (rollout.status.abort) return 0;
  const steps = stepsOf(rollout);
  const index = rollout.status.currentStepIndex ?? 0;
  if (steps.length === 0 || index >= steps.length) return 100;
  const weight = steps.slice(0, index + 1).findLast((step) => step.setWeight !== undefined)?.setWeight ?? 0;
  return trafficShareOf({ weight, maxWeight: maxWeightOf(rollout) });
}
