import { currentStep, isFullyPromoted } from "./canary-steps.ts";
import { parseDurationMs, parseTime } from "./clock.ts";
import type { PauseDecision } from "./pause-state.ts";
import { findPause } from "./pause-state.ts";
import type { Rollout } from "./rollout-types.ts";

/** Starts the pause of a pause step, or returns in how many ms a timed one is over. */
export function reconcilePauseStep(
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

export function pauseEndMs(rollout: Rollout, speed: number): number | undefined {
  const durationMs = parseDurationMs(currentStep(rollout).step?.pause?.duration);
  const startMs = parseTime(findPause(rollout.status, "CanaryPauseStep")?.startTime);
  return durationMs === undefined || startMs === undefined ? undefined : startMs + durationMs / speed;
}

/** Returns whether a person has resumed (controllerPause is set, its reason is gone), or a timed pause has elapsed. */
export function isPauseOver(rollout: Rollout, time: { nowMs: number; speed: number }): boolean {
  if (rollout.status.controllerPause === true && findPause(rollout.status, "CanaryPauseStep") === undefined) {
    return true;
  }
  const endMs = pauseEndMs(rollout, time.speed);
  return endMs !== undefined && time.nowMs > endMs;
}
