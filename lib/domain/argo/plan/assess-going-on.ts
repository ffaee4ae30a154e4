import type { EffectAssessment } from "#lib/domain/acting/effect.ts";
import { currentStepOf, type RolloutObject, stepsOf } from "#lib/domain/argo/objects/rollout-object.ts";
import { hasControllerWritten, type Pause, type SeenEffect } from "#lib/domain/argo/plan/action-effect.ts";
import { formatStepPlace } from "#lib/domain/argo/plan/action-text.ts";

/** Judges the actions that take an update past what holds it, or measure that again. */
export function assessGoingOn(seen: SeenEffect): EffectAssessment {
  const { expected, rollout, promoted } = seen;
  const again = expected.kind === "resumed" && !promoted ? listPausedAgain(seen) : [];
  if (again.length > 0)
    return {
      state: "not-effective",
      message: `It is paused again${formatAt(rollout)} (${again.join(", ")}): the controller did not continue.`,
    };
  if (hasMovedOn(seen)) return { state: "effective", message: describeNow(rollout, promoted) };
  return { state: "pending" };
}

function hasMovedOn(seen: SeenEffect): boolean {
  const { expected, rollout, promoted } = seen;
  if (promoted) return true;
  const pauses = rollout.status.pauseConditions ?? [];
  if (pauses.some((pause) => expected.pauses.some((before) => isSamePause(before, pause)))) return false;
  const step = currentStepOf(rollout);
  const replaced = isReplaced(seen);
  switch (expected.kind) {
    // Our own patch moved the index by one.
    case "step-passed":
      return step > expected.step + 1 || (step === expected.step + 1 && replaced && hasLeftStep(seen));
    case "measured-again":
      return step > expected.step || (replaced && isTakenUp(seen));
    default:
      return step > expected.step || (replaced && isResumed(seen));
  }
}

function isSamePause(one: Pause, other: Pause): boolean {
  return one.reason === other.reason && one.startTime === other.startTime;
}

/** Returns whether none of the Inconclusive runs is current any more. */
function isReplaced({ expected, rollout: { status } }: SeenEffect): boolean {
  const running = [
    status.canary?.currentStepAnalysisRunStatus?.name,
    status.canary?.currentBackgroundAnalysisRunStatus?.name,
    status.blueGreen?.prePromotionAnalysisRunStatus?.name,
    status.blueGreen?.postPromotionAnalysisRunStatus?.name,
  ];
  return !expected.runs.some((name) => running.includes(name));
}

/**
 * Lists reasons that were cleared and exist again, from a later time, at the same step. The controller has consumed the
 * resume without going on, as it does while `spec.paused` holds it. A new run that is Inconclusive too is another
 * matter.
 */
function listPausedAgain(seen: SeenEffect): string[] {
  const { expected, rollout } = seen;
  if (currentStepOf(rollout) !== expected.step) return [];
  const isNewRun = expected.runs.length > 0 && isReplaced(seen);
  return (rollout.status.pauseConditions ?? [])
    .filter((pause) => expected.pauses.some(({ reason }) => reason === pause.reason))
    .filter((pause) => !expected.pauses.some((before) => isSamePause(before, pause)))
    .map(({ reason }) => reason)
    .filter((reason) => !(isNewRun && reason === "InconclusiveAnalysisRun"));
}

/**
 * Returns whether the controller has acted on the resume. Past a pause step the index moves in the write that consumes
 * the resume; before the promotion the active Service does (rollout/canary.go syncRolloutStatusCanary, bluegreen.go
 * rolloutBlueGreen of 9f8d111). Otherwise controllerPause true without conditions means "resumed by a person, not
 * consumed yet".
 */
function isResumed({ expected, rollout }: SeenEffect): boolean {
  const { status } = rollout;
  const waitedFor = (reason: string) => expected.pauses.some((pause) => pause.reason === reason);
  if (waitedFor("CanaryPauseStep") && expected.step < stepsOf(rollout).length) return false;
  if (waitedFor("BlueGreenPause"))
    return (
      status.blueGreen?.activeSelector === status.currentPodHash || status.blueGreen?.scaleUpPreviewCheckPoint === true
    );
  return !status.controllerPause || (status.pauseConditions ?? []).length > 0;
}

/**
 * Returns whether the controller has begun the very step that our patch named: by a pause that is not ours, by its run,
 * or by its experiment. If a passed run or experiment is no longer current, that proves it too. For other steps any
 * write of the controller does: it scales, sets weights, or counts pods.
 */
function hasLeftStep(seen: SeenEffect): boolean {
  const { expected, rollout } = seen;
  const { canary, pauseConditions = [] } = rollout.status;
  const [passed, next] = stepsOf(rollout).slice(expected.step, expected.step + 2);
  const isKept = passed?.experiment !== undefined && next?.experiment !== undefined;
  if (expected.runs.length > 0) return true;
  if (expected.experiment !== undefined && passed?.experiment !== undefined && !isKept)
    return canary?.currentExperiment !== expected.experiment;
  const left = expected.answered?.pauses ?? expected.pauses;
  if (pauseConditions.some((pause) => !left.some((before) => isSamePause(before, pause)))) return true;
  // While a person holds it, the controller begins nothing; only that it has looked is visible.
  if (rollout.spec.paused || isKept) return hasControllerWritten({ trace: expected.trace, rollout });
  if (next?.pause !== undefined) return isHeldByUs(seen) && rollout.status.phase === "Paused";
  if (next?.analysis !== undefined) return canary?.currentStepAnalysisRunStatus !== undefined;
  if (next?.experiment !== undefined) return (canary?.currentExperiment || undefined) !== undefined;
  return hasControllerWritten({ trace: expected.trace, rollout });
}

/**
 * Returns whether our patch set the condition of that pause itself (hold-gate.ts): the controller keeps it as it is,
 * and reports it in its phase. A step could be skipped only while that was another one.
 */
function isHeldByUs({ expected }: SeenEffect): boolean {
  const holds = (pauses: readonly Pause[]) => pauses.some(({ reason }) => reason === "CanaryPauseStep");
  return holds(expected.answered?.pauses ?? []) && !holds(expected.pauses);
}

/**
 * Returns whether the controller has acted on the lifted pause. When the pause is set, the experiment is already
 * another one, so the experiment proves nothing.
 */
function isTakenUp({ expected, rollout: { status } }: SeenEffect): boolean {
  if (!expected.pauses.some(({ reason }) => reason === "InconclusiveExperiment")) return true;
  return !status.controllerPause || (status.pauseConditions ?? []).length > 0;
}

export function describeNow(rollout: RolloutObject, promoted: boolean): string {
  if (promoted) return "The rollout is fully promoted.";
  const waits = [
    ...(rollout.status.pauseConditions ?? []).map(({ reason }) => reason),
    ...(rollout.spec.paused ? ["spec.paused"] : []),
  ].join(", ");
  const at = formatAt(rollout);
  if (waits === "") return `The rollout continues${at}.`;
  return at === "" ? `The rollout waits: ${waits}.` : `The rollout is${at} and waits: ${waits}.`;
}

function formatAt(rollout: RolloutObject): string {
  const stepCount = stepsOf(rollout).length;
  return stepCount === 0 ? "" : ` at ${formatStepPlace({ completed: currentStepOf(rollout), stepCount })}`;
}
