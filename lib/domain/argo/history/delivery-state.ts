import { knownControllerManagers } from "#lib/domain/argo/known-managers.ts";
import type { CountedRun, DeliveryState, Observation, Wait } from "#lib/domain/delivery/observation.ts";
import { formatAbort } from "./abort-words.ts";
import { skippedBecause } from "./find-skipped-gates.ts";
import { type ArgoObservation, isAborted, type RolloutProjection } from "./rollout-projection.ts";

/** Converts an observation stored for a Rollout into the terms that all providers share. */
export function toObservation({ observedAt, resourceVersion, writer, projection }: ArgoObservation): Observation {
  const client = writer === null || knownControllerManagers.includes(writer) ? null : writer;
  return { observedAt, resourceVersion, client, state: toDeliveryState(projection) };
}

/** Converts a projection. Older ones lack the newer fields: what they do not say is unknown. */
export function toDeliveryState(projection: RolloutProjection): DeliveryState {
  const { view } = projection;
  const run = projection.backgroundAnalysis?.name ?? null;
  return {
    runKey: projection.currentPodHash,
    stableKey: projection.stableRS,
    stepsKey: projection.currentStepHash,
    ...(view.activeSelector === undefined ? {} : { servedKey: view.activeSelector }),
    phase: view.phase,
    message: view.message,
    strategy: view.strategy,
    revision: view.revision,
    step: view.step,
    stepCount: view.stepCount,
    stepText: view.stepText,
    weight: view.weight,
    images: view.images,
    isAbortAsked: projection.abort,
    isAborted: isAborted(projection),
    abortedAt: view.abortedAt ?? null,
    abortText: formatAbort(view.message),
    isFullPromotionAsked: projection.promoteFull,
    isPausedByPerson: projection.paused,
    waits: projection.pauseConditions.map(
      ({ reason, startTime }): Wait => ({ key: `${reason} ${startTime}`, text: describePause(reason, projection) }),
    ),
    runs: listRuns(projection),
    ...(projection.experiment === null || projection.experiment === undefined
      ? {}
      : { experiment: projection.experiment }),
    skippedGates: (view.skippedGates ?? []).map(({ step, at }) => ({ step, at, why: skippedBecause, run })),
    rollbackWindow: view.rollbackWindow ?? null,
    isSpecObserved: view.specObserved,
    ...(view.isScaledToZero === undefined ? {} : { isScaledToZero: view.isScaledToZero }),
    isDeleted: view.isDeleted === true,
  };
}

function describePause(reason: string, { view }: RolloutProjection): string {
  const step = view.step === null ? "" : ` at step ${view.step + 1} of ${view.stepCount}`;
  if (reason === "CanaryPauseStep")
    return view.stepWaitsForPerson ? `Waits for a person${step}` : `Pauses${step}: ${view.stepText ?? "timed"}`;
  if (reason === "BlueGreenPause") return "Waits before switching the active service";
  if (reason === "InconclusiveAnalysisRun") return `Waits for a person${step}: an analysis run is Inconclusive`;
  if (reason === "InconclusiveExperiment") return `Waits for a person${step}: an experiment is Inconclusive`;
  return `Paused${step}: ${reason}`;
}

const titles = {
  stepAnalysis: "Step analysis",
  backgroundAnalysis: "Background analysis",
  prePromotionAnalysis: "Pre-promotion analysis",
  postPromotionAnalysis: "Post-promotion analysis",
} as const;

function listRuns(projection: RolloutProjection): CountedRun[] {
  // The condition does not say which run it is about.
  const isHeld = projection.pauseConditions.some(({ reason }) => reason === "InconclusiveAnalysisRun");
  return Object.entries(titles).flatMap(([field, title]) => {
    const run = projection[field as keyof typeof titles];
    return run === null ? [] : [{ title, name: run.name, phase: run.phase, ...(isHeld ? { isHeld } : {}) }];
  });
}
