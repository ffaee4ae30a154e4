import type { RolloutProjection } from "#lib/domain/argo/history/rollout-projection.ts";
import { controllerManager } from "#lib/domain/argo/recognise-controller.ts";

/**
 * A pause step that the controller passed without holding it. `step` is an index; `at` is the observed time in ISO
 * 8601.
 */
export type SkippedGate = { step: number; at: string };

/** The recorder's memory of a release's pause steps; stored with each observation. */
export type GateMemory = { pauseHeld: boolean; skippedGates: SkippedGate[] };

/**
 * Finds the pause steps, as indices, that the controller passed between two observations without holding them. If a
 * background run ends Inconclusive before the pause, the controller sets `controllerPause` with only that reason, and
 * at the pause step mistakes this for "resumed" (argo-rollouts 1.9.3 and 1.10.2, rollout/pause.go
 * CompletedCanaryPauseStep). The same condition, with the same start, exists before and after: it was not cleared in
 * between, so no one continued. A pause that was held before is not skipped, and neither is one that another client
 * passed.
 */
export function findSkippedGates({
  previous,
  next,
  writer,
}: {
  previous: RolloutProjection;
  next: RolloutProjection;
  writer: string | null;
}): number[] {
  const [from, to] = [previous.currentStepIndex, next.currentStepIndex];
  if (from === null || to === null || to <= from || (writer !== null && writer !== controllerManager)) return [];
  if (!isSameRelease(previous, next) || previous.strategy !== next.strategy) return [];
  if (isDecided(previous) || isDecided(next)) return [];
  const isSamePause = inconclusivePauses(previous).some(({ startTime }) =>
    inconclusivePauses(next).some((left) => left.startTime === startTime),
  );
  if (!isSamePause) return [];
  const isHeld = previous.view.pauseHeld === true || holdsPauseStep(previous);
  return (previous.view.pauseSteps ?? []).filter((step) => step >= from && step < to && !(step === from && isHeld));
}

/**
 * Returns the memory to store with `next`. `known` are pause steps that a person knowingly passed through Gatehouse:
 * they were told before the click. The memory ends with the release.
 */
export function rememberGates({
  previous,
  next,
  writer,
  at,
  known,
}: {
  previous: RolloutProjection | undefined;
  next: RolloutProjection;
  writer: string | null;
  at: string;
  known: readonly number[];
}): GateMemory {
  const isHeld = holdsPauseStep(next);
  if (previous === undefined || !isSameRelease(previous, next) || isDecided(next) || isStable(next))
    return { pauseHeld: isHeld, skippedGates: [] };
  const isSameStep = previous.currentStepIndex === next.currentStepIndex;
  const before = (previous.view.skippedGates ?? []).filter(({ step }) => step < (next.currentStepIndex ?? 0));
  const found = findSkippedGates({ previous, next, writer }).filter((step) => !known.includes(step));
  return {
    pauseHeld: isHeld || (isSameStep && previous.view.pauseHeld === true),
    skippedGates: [...before, ...found.map((step) => ({ step, at }))],
  };
}

/** Why the controller passed them. */
export const skippedBecause = "background analysis Inconclusive";

/**
 * Returns whether the version and the steps are the same: the controller restarts at the first step if either changes.
 */
function isSameRelease(previous: RolloutProjection, next: RolloutProjection): boolean {
  return (
    previous.uid === next.uid &&
    previous.currentPodHash === next.currentPodHash &&
    previous.currentStepHash === next.currentStepHash
  );
}

function inconclusivePauses({ pauseConditions }: RolloutProjection) {
  return pauseConditions.filter(({ reason }) => reason === "InconclusiveAnalysisRun");
}

function holdsPauseStep({ pauseConditions }: RolloutProjection): boolean {
  return pauseConditions.some(({ reason }) => reason === "CanaryPauseStep");
}

/** Returns whether the controller leaves the steps for another reason. */
function isDecided({ abort, promoteFull, view }: RolloutProjection): boolean {
  return abort || promoteFull || view.isDeleted === true;
}

function isStable({ stableRS, currentPodHash }: RolloutProjection): boolean {
  return stableRS !== "" && stableRS === currentPodHash;
}
