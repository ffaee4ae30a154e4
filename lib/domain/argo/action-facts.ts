import { findUnknownValues } from "#lib/domain/argo/find-unknown-values.ts";
import { currentStepOf, type RolloutObject, type RolloutRunStatus, stepsOf } from "#lib/domain/argo/rollout-object.ts";

/** What the planners decide on, read once from a Rollout. */
export type ActionFacts = {
  name: string;
  namespace: string;
  strategy: "canary" | "blueGreen" | undefined;
  step: number;
  stepCount: number;
  podHash: string;
  stableHash: string;
  fullyPromoted: boolean;
  aborted: boolean;
  promoteFull: boolean;
  beingDeleted: boolean;
  specPaused: boolean;
  controllerPause: boolean;
  pauses: readonly string[];
  /** The run of the current step, where that is an inline analysis. */
  stepRun: RolloutRunStatus | undefined;
  background: RolloutRunStatus | undefined;
  prePromotion: RolloutRunStatus | undefined;
  postPromotion: RolloutRunStatus | undefined;
  experiment: string | undefined;
  /** A phase, pause reason or kind of step that we do not know: nothing may advance on a guess. */
  unknownWord: string | undefined;
};

export function readActionFacts(rollout: RolloutObject): ActionFacts {
  const { metadata, spec, status } = rollout;
  const { canary, blueGreen } = spec.strategy;
  const pauses = (status.pauseConditions ?? []).map(({ reason }) => reason);
  const runs = {
    stepRun: status.canary?.currentStepAnalysisRunStatus,
    background: status.canary?.currentBackgroundAnalysisRunStatus,
    prePromotion: status.blueGreen?.prePromotionAnalysisRunStatus,
    postPromotion: status.blueGreen?.postPromotionAnalysisRunStatus,
  };
  return {
    name: metadata.name,
    namespace: metadata.namespace ?? "default",
    strategy: canary !== undefined ? "canary" : blueGreen !== undefined ? "blueGreen" : undefined,
    step: currentStepOf(rollout),
    stepCount: stepsOf(rollout).length,
    podHash: status.currentPodHash,
    stableHash: status.stableRS,
    fullyPromoted: status.stableRS !== "" && status.stableRS === status.currentPodHash,
    aborted: status.abort,
    promoteFull: status.promoteFull,
    beingDeleted: metadata.deletionTimestamp !== undefined,
    specPaused: spec.paused,
    controllerPause: status.controllerPause,
    pauses,
    ...runs,
    experiment: status.canary?.currentExperiment || undefined,
    unknownWord: findUnknownValues("Rollout", rollout)[0]?.value,
  };
}

export function isInconclusive(run: RolloutRunStatus | undefined): run is RolloutRunStatus {
  return run?.status === "Inconclusive";
}
