import type { BlueGreenRuns } from "./blue-green-analysis.ts";
import { isPrePromotionDone } from "./blue-green-analysis.ts";
import { isReadyForPause } from "./blue-green-scaling.ts";
import { parseTime } from "./clock.ts";
import { isFastRollback } from "./fast-rollback.ts";
import type { PauseDecision } from "./pause-state.ts";
import { findPause } from "./pause-state.ts";
import { desiredReplicas, isSaturated } from "./replica-counts.ts";
import type { Rollout, RolloutParts } from "./rollout-types.ts";
import { hashOf } from "./rollout-types.ts";

/** Input to the decision to promote; `activeHash` is the pod hash that the active Service selects, or empty. */
export type PromotionInput = {
  parts: RolloutParts;
  decision: PauseDecision;
  runs: BlueGreenRuns;
  activeHash: string;
  isWithinDelay: boolean;
  time: { nowMs: number; speed: number };
};

/**
 * Returns whether progress waits for the person who paused it or judges an Inconclusive run (context.go haltProgress).
 */
export function isHalted({ spec, status }: Rollout): boolean {
  return spec.paused === true || findPause(status, "InconclusiveAnalysisRun") !== undefined;
}

/** Returns whether nothing needs to wait: first deployment, rollback, full promotion, or a version already active. */
function isFastTracked({ parts, activeHash, isWithinDelay }: PromotionInput): boolean {
  const isForced = parts.rollout.status.promoteFull === true;
  const isDone = activeHash === "" || activeHash === hashOf(parts.newSet);
  return isForced || isDone || isFastRollback(parts, isWithinDelay);
}

/**
 * Pauses before the switch, or ends that pause; returns in how many ms a timed one is over (rollout/bluegreen.go
 * reconcileBlueGreenPause of argo-rollouts at 9f8d111).
 */
export function reconcileBlueGreenPause(input: PromotionInput): number | undefined {
  const { parts, decision, runs, time } = input;
  const { status, spec } = parts.rollout;
  const strategy = spec.strategy.blueGreen;
  if (status.abort === true || !isReadyForPause(parts) || isHalted(parts.rollout)) {
    return undefined;
  }
  const seconds = strategy?.autoPromotionSeconds ?? 0;
  const isManaged = strategy?.autoPromotionEnabled === false || seconds > 0;
  if (isFastTracked(input) || status.blueGreen?.scaleUpPreviewCheckPoint === true || !isManaged) {
    decision.remove.push("BlueGreenPause");
    return undefined;
  }
  if (!isPrePromotionDone(parts.rollout, runs)) {
    return undefined;
  }
  const pause = findPause(status, "BlueGreenPause");
  if (pause === undefined) {
    // controllerPause without a condition: a person has resumed.
    if (status.controllerPause !== true) {
      decision.add.push("BlueGreenPause");
    }
    return undefined;
  }
  if (isPauseCompleted(input)) {
    decision.remove.push("BlueGreenPause");
    return undefined;
  }
  const endMs = pauseEndMs(input);
  return endMs === undefined ? undefined : Math.max(endMs - time.nowMs, 0) + 1;
}

function pauseEndMs({ parts, time }: PromotionInput): number | undefined {
  const startMs = parseTime(findPause(parts.rollout.status, "BlueGreenPause")?.startTime);
  const seconds = parts.rollout.spec.strategy.blueGreen?.autoPromotionSeconds ?? 0;
  return startMs === undefined || seconds === 0 ? undefined : startMs + (seconds * 1000) / time.speed;
}

/**
 * Returns whether a person resumed the pause, or autoPromotionSeconds have passed (pause.go CompletedBlueGreenPause).
 */
export function isPauseCompleted(input: PromotionInput): boolean {
  const { parts, decision, time } = input;
  const { status, spec } = parts.rollout;
  if (decision.add.length > 0) {
    return false;
  }
  if (status.blueGreen?.scaleUpPreviewCheckPoint === true) {
    return true;
  }
  const strategy = spec.strategy.blueGreen;
  if (strategy?.autoPromotionEnabled === false) {
    return status.controllerPause === true && findPause(status, "BlueGreenPause") === undefined;
  }
  const endMs = pauseEndMs(input);
  return (strategy?.autoPromotionSeconds ?? 0) === 0 || (endMs !== undefined && time.nowMs > endMs);
}

/** Returns the hash that the active Service must select; undefined if it stays (service.go reconcileActiveService). */
export function chooseActiveHash(input: PromotionInput): string | undefined {
  const { parts, runs } = input;
  const { rollout, newSet } = parts;
  if (isHalted(rollout) || !isReadyForPause(parts) || !isSaturated(newSet, desiredReplicas(rollout))) {
    return undefined;
  }
  if (rollout.status.abort === true) {
    return rollout.status.stableRS;
  }
  const isDue = isPauseCompleted(input) && isPrePromotionDone(rollout, runs);
  return isFastTracked(input) || isDue ? hashOf(newSet) : undefined;
}
