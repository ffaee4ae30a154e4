import { formatTime } from "./clock.ts";
import type { PauseCondition, PauseReason, Rollout, RolloutStatus } from "./rollout-types.ts";

/** Decisions of one pass over a Rollout about pausing and aborting; applied to the new status at its end. */
export type PauseDecision = {
  add: PauseReason[];
  remove: PauseReason[];
  clear: boolean;
  abortMessage?: string;
  removeAbort: boolean;
};

export function newPauseDecision(): PauseDecision {
  return { add: [], remove: [], clear: false, removeAbort: false };
}

export function findPause(status: RolloutStatus, reason: PauseReason): PauseCondition | undefined {
  return (status.pauseConditions ?? []).find((condition) => condition.reason === reason);
}

export function isAborted(rollout: Rollout, decision: PauseDecision): boolean {
  return !decision.removeAbort && (decision.abortMessage !== undefined || rollout.status.abort === true);
}

/**
 * Writes abort, abortedAt, pauseConditions and controllerPause into `next`, like rollout/pause.go CalculatePauseStatus
 * of argo-rollouts at 9f8d111. controllerPause becomes false as soon as no condition is left: this consumes a resume
 * (conditions cleared, controllerPause still true).
 */
export function applyPauseDecision(options: {
  rollout: Rollout;
  decision: PauseDecision;
  next: RolloutStatus;
  nowMs: number;
}): void {
  const { rollout, decision, next, nowMs } = options;
  if (isAborted(rollout, decision)) {
    next.abort = true;
    next.abortedAt = rollout.status.abortedAt ?? formatTime(nowMs);
    return;
  }
  if (decision.clear) {
    return;
  }
  const previous = rollout.status.pauseConditions ?? [];
  const kept = previous.filter((condition) => !decision.remove.includes(condition.reason));
  const added = decision.add
    .filter((reason) => !previous.some((condition) => condition.reason === reason))
    .map((reason) => ({ reason, startTime: formatTime(nowMs) }));
  if (kept.length + added.length === 0) {
    return;
  }
  next.pauseConditions = [...kept, ...added];
  next.controllerPause = added.length > 0 || rollout.status.controllerPause === true;
}
