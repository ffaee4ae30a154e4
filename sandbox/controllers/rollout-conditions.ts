import { currentStep } from "./canary-steps.ts";
import { formatTime, parseTime } from "./clock.ts";
import { desiredReplicas, isSaturated } from "./replica-counts.ts";
import { isCompleted, isHealthy } from "./rollout-phase.ts";
import type { ConditionType, Rollout, RolloutCondition, RolloutParts, RolloutStatus } from "./rollout-types.ts";
import { hashOf, revisionOf, SCALE_DOWN_DEADLINE_ANNOTATION } from "./rollout-types.ts";

type NewCondition = Pick<RolloutCondition, "type" | "status" | "reason" | "message">;

export const PAUSED_MESSAGE = "Rollout is paused";
const DEFAULT_PROGRESS_DEADLINE_SECONDS = 600;

export function findCondition(status: RolloutStatus, type: ConditionType): RolloutCondition | undefined {
  return (status.conditions ?? []).find((condition) => condition.type === type);
}

/**
 * Sets a condition; an equal status and reason keep the old one, with message and times. Returns true if it changed.
 */
export function setCondition(status: RolloutStatus, condition: NewCondition, nowMs: number): boolean {
  const current = findCondition(status, condition.type);
  if (current?.status === condition.status && current.reason === condition.reason) {
    return false;
  }
  const now = formatTime(nowMs);
  const lastTransitionTime = current?.status === condition.status ? current.lastTransitionTime : now;
  status.conditions = [
    ...(status.conditions ?? []).filter(({ type }) => type !== condition.type),
    { ...condition, lastUpdateTime: now, lastTransitionTime },
  ];
  return true;
}

/**
 * Returns conditions that a change of pause or abort needs before anything else happens, or undefined if none is due.
 * Mirrors rollout/sync.go checkPausedConditions of argo-rollouts at 9f8d111: they are written in a separate pass.
 */
export function planPauseConditions(rollout: Rollout, nowMs: number): RolloutStatus | undefined {
  const { status, spec } = rollout;
  const next = { ...status };
  const progressing = findCondition(status, "Progressing");
  const isPaused = (status.pauseConditions ?? []).length > 0 || spec.paused === true;
  const wasAborted = progressing?.reason === "RolloutAborted";
  const pausedNow = { status: "Unknown", reason: "RolloutPaused", message: PAUSED_MESSAGE } as const;
  const resumedNow = { status: "Unknown", reason: "RolloutResumed", message: "Rollout is resumed" } as const;
  let isChanged = false;
  if (isPaused !== (progressing?.reason === "RolloutPaused") && !wasAborted && !isCompleted(status)) {
    const words = isPaused ? pausedNow : resumedNow;
    isChanged = setCondition(next, { type: "Progressing", ...words }, nowMs) || isChanged;
  }
  if (status.abort !== true && wasAborted) {
    const retry = { status: "Unknown", reason: "RolloutRetry", message: "Retrying Rollout after abort" } as const;
    isChanged = setCondition(next, { type: "Progressing", ...retry }, nowMs) || isChanged;
  }
  if (isPaused !== (findCondition(status, "Paused")?.status === "True") && !wasAborted) {
    const paused = { reason: "RolloutPaused", message: PAUSED_MESSAGE, status: isPaused ? "True" : "False" } as const;
    isChanged = setCondition(next, { type: "Paused", ...paused }, nowMs) || isChanged;
  }
  return isChanged ? next : undefined;
}

export type ConditionInput = {
  parts: RolloutParts;
  next: RolloutStatus;
  /** Set while the release is aborted; empty if the abort gives no cause. */
  abortMessage?: string;
  nowMs: number;
};

/** Applies Healthy, Progressing, Available and Completed at the end of a pass (sync.go calculateRolloutConditions). */
export function applyConditions(input: ConditionInput): void {
  const { parts, next, abortMessage, nowMs } = input;
  const { rollout } = parts;
  const isPaused = (next.pauseConditions ?? []).length > 0 || rollout.spec.paused === true;
  const healthy = !isPaused && isHealthy(rollout, next);
  let becameUnhealthy = false;
  if (healthy) {
    setCondition(
      next,
      { type: "Healthy", status: "True", reason: "RolloutHealthy", message: "Rollout is healthy" },
      nowMs,
    );
  } else if (findCondition(rollout.status, "Healthy") !== undefined) {
    const words = { status: "False", reason: "RolloutHealthy", message: "Rollout is not healthy" } as const;
    becameUnhealthy = setCondition(next, { type: "Healthy", ...words }, nowMs);
  }
  if (abortMessage === undefined) {
    applyProgress(input, becameUnhealthy);
  } else {
    const cause = `Rollout aborted update to revision ${revisionOf(rollout.metadata)}`;
    const message = abortMessage === "" ? cause : `${cause}: ${abortMessage}`;
    setCondition(next, { type: "Progressing", status: "False", reason: "RolloutAborted", message }, nowMs);
  }
  const isAvailable = hasMinimumAvailability(parts, next);
  const availability = isAvailable ? "Rollout has minimum availability" : "Rollout does not have minimum availability";
  const status = isAvailable ? "True" : "False";
  setCondition(next, { type: "Available", status, reason: "AvailableReason", message: availability }, nowMs);
  const completed = isCompleted(next) ? "True" : "False";
  const words = { reason: "RolloutCompleted", message: "RolloutCompleted" };
  setCondition(next, { type: "Completed", status: completed, ...words }, nowMs);
}

function hasMinimumAvailability({ rollout, all }: RolloutParts, next: RolloutStatus): boolean {
  const replicas = desiredReplicas(rollout);
  if (rollout.spec.strategy.blueGreen == null) {
    return (next.availableReplicas ?? 0) >= replicas;
  }
  const activeHash = next.blueGreen?.activeSelector;
  return isSaturated(
    all.find((set) => hashOf(set) === activeHash),
    replicas,
  );
}

/**
 * Applies Progressing. While a pause holds a blue-green Rollout after the switch, it stays RolloutPaused: upstream
 * considers that Rollout healthy, and endlessly alternates between the two reasons.
 */
function applyProgress(input: ConditionInput, becameUnhealthy: boolean): void {
  const { parts, next, nowMs } = input;
  const { rollout, newSet } = parts;
  const newSetName = newSet?.metadata.name ?? rollout.metadata.name;
  const isPaused = (next.pauseConditions ?? []).length > 0 || rollout.spec.paused === true;
  const isHeld = isPaused && !isCompleted(next);
  if (isHealthy(rollout, next) && !isHeld) {
    const message = `ReplicaSet "${newSetName}" has successfully progressed.`;
    setCondition(next, { type: "Progressing", status: "True", reason: "NewReplicaSetAvailable", message }, nowMs);
    return;
  }
  if (isProgressing(rollout, next) || becameUnhealthy) {
    const previous = findCondition(rollout.status, "Progressing");
    next.conditions = (next.conditions ?? []).filter(({ type }) => type !== "Progressing");
    const isPromoted = isCompleted(next) && becameUnhealthy;
    const words = isPromoted
      ? { reason: "ReplicaSetNotAvailable", message: "Rollout does not have minimum availability" }
      : { reason: "ReplicaSetUpdated", message: `ReplicaSet "${newSetName}" is progressing.` };
    const now = formatTime(nowMs);
    const lastTransitionTime = previous?.status === "True" ? previous.lastTransitionTime : now;
    next.conditions.push({ type: "Progressing", status: "True", ...words, lastUpdateTime: now, lastTransitionTime });
    return;
  }
  if (!isIndefiniteStep(rollout) && !isWaitingForScaleDown(parts) && hasTimedOut(rollout, next, nowMs)) {
    const message = `ReplicaSet "${newSetName}" has timed out progressing.`;
    setCondition(next, { type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded", message }, nowMs);
  }
}

/**
 * Returns whether some older version still waits for its scale-down (rollout/sync.go isWaitingForReplicaSetScaleDown).
 */
function isWaitingForScaleDown({ others }: RolloutParts): boolean {
  return others.some((set) => set.metadata.annotations?.[SCALE_DOWN_DEADLINE_ANNOTATION] !== undefined);
}

function isProgressing({ spec, status: before }: Rollout, next: RolloutStatus): boolean {
  const oldBefore = (before.replicas ?? 0) - (before.updatedReplicas ?? 0);
  const oldNow = (next.replicas ?? 0) - (next.updatedReplicas ?? 0);
  return (
    next.updatedReplicas !== (before.updatedReplicas ?? 0) ||
    oldNow < oldBefore ||
    (next.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (next.availableReplicas ?? 0) > (before.availableReplicas ?? 0) ||
    (spec.strategy.blueGreen == null ? isNextStep(before, next) : isSwitching(before, next))
  );
}

function isNextStep(before: RolloutStatus, next: RolloutStatus): boolean {
  return (
    next.stableRS !== before.stableRS ||
    (before.currentStepIndex !== undefined && next.currentStepIndex !== before.currentStepIndex) ||
    next.currentStepHash !== before.currentStepHash
  );
}

function isSwitching(before: RolloutStatus, next: RolloutStatus): boolean {
  return (
    before.blueGreen?.activeSelector !== next.blueGreen?.activeSelector ||
    before.blueGreen?.previewSelector !== next.blueGreen?.previewSelector
  );
}

/** Returns whether a step waits by design, and so does not count against the progress deadline. */
export function isIndefiniteStep(rollout: Rollout): boolean {
  const { step } = currentStep(rollout);
  return (
    step?.analysis !== undefined ||
    step?.experiment !== undefined ||
    step?.pause !== undefined ||
    findCondition(rollout.status, "Paused")?.status === "True"
  );
}

function hasTimedOut(rollout: Rollout, next: RolloutStatus, nowMs: number): boolean {
  const condition = findCondition(next, "Progressing");
  const exempt = ["RolloutAborted", "RolloutPaused"];
  if (condition === undefined || exempt.includes(condition.reason)) {
    return false;
  }
  const deadlineSeconds = rollout.spec.progressDeadlineSeconds ?? DEFAULT_PROGRESS_DEADLINE_SECONDS;
  const updatedMs = parseTime(condition.lastUpdateTime) ?? nowMs;
  return condition.reason === "ProgressDeadlineExceeded" || updatedMs + deadlineSeconds * 1000 < nowMs;
}
