import { isCompleted } from "#lib/domain/argo/analysis/phase.ts";
import { findUnknownValues } from "#lib/domain/argo/objects/find-unknown-values.ts";
import {
  currentStepOf,
  type RolloutObject,
  type RolloutRunStatus,
  stepsOf,
} from "#lib/domain/argo/objects/rollout-object.ts";
import { nameVersions, type TaggedImage } from "#lib/domain/argo/view/name-versions.ts";
import { redactTextOf } from "#lib/domain/storable/redact-object.ts";

/** The facts that the planners decide on, read once from a Rollout. */
export type ActionFacts = {
  name: string;
  namespace: string;
  strategy: "canary" | "blueGreen" | undefined;
  step: number;
  stepCount: number;
  podHash: string;
  stableHash: string;
  /** Names of both versions in sentences: the image's tag, else the pod hash. */
  newVersion: string;
  stableVersion: string;
  fullyPromoted: boolean;
  aborted: boolean;
  promoteFull: boolean;
  beingDeleted: boolean;
  /** The controller's message for a spec that it refuses, without secrets: it does not reconcile meanwhile. */
  invalidSpec: string | undefined;
  specPaused: boolean;
  controllerPause: boolean;
  pauses: readonly string[];
  /** The run of the current step, if that is an inline analysis. */
  stepRun: RolloutRunStatus | undefined;
  background: RolloutRunStatus | undefined;
  prePromotion: RolloutRunStatus | undefined;
  postPromotion: RolloutRunStatus | undefined;
  experiment: string | undefined;
  /** An unknown phase, pause reason or kind of step: nothing may advance on a guess. */
  unknownWord: string | undefined;
};

export function readActionFacts(rollout: RolloutObject, images?: readonly TaggedImage[]): ActionFacts {
  const { metadata, spec, status } = rollout;
  const { canary, blueGreen } = spec.strategy;
  const pauses = (status.pauseConditions ?? []).map(({ reason }) => reason);
  const runs = {
    stepRun: readStepRun(rollout),
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
    ...nameBoth(rollout, images),
    fullyPromoted: status.stableRS !== "" && status.stableRS === status.currentPodHash,
    aborted: status.abort,
    promoteFull: status.promoteFull,
    beingDeleted: metadata.deletionTimestamp !== undefined,
    invalidSpec: findInvalidSpec(rollout),
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

/**
 * Reads the step's run, but not one that ended at an earlier step: the controller names it as long as a pause condition
 * exists.
 */
function readStepRun(rollout: RolloutObject): RolloutRunStatus | undefined {
  const run = rollout.status.canary?.currentStepAnalysisRunStatus;
  const isOfStep = stepsOf(rollout)[currentStepOf(rollout)]?.analysis !== undefined;
  return isOfStep || !isCompleted(run?.status) ? run : undefined;
}

function nameBoth(
  rollout: RolloutObject,
  images: readonly TaggedImage[] | undefined,
): Pick<ActionFacts, "newVersion" | "stableVersion"> {
  const { currentPodHash, stableRS } = rollout.status;
  const { next, stable } = nameVersions({ rollout, images });
  const isAmbiguous = next !== undefined && next === stable;
  return {
    newVersion: next === undefined ? currentPodHash : isAmbiguous ? `${next} (${currentPodHash})` : next,
    stableVersion: stable === undefined ? stableRS : isAmbiguous ? `${stable} (${stableRS})` : stable,
  };
}

/**
 * Returns the controller's message for a spec that it refuses; undefined if it accepts it. While this condition exists
 * the controller does not reconcile the rollout (rollout/controller.go newRolloutContext, createInvalidRolloutCondition
 * of argo-rollouts 1.10.2), regardless of what spec and status request, and retries every 20 s.
 */
function findInvalidSpec(rollout: RolloutObject): string | undefined {
  const condition = rollout.status.conditions?.find(({ type }) => type === "InvalidSpec");
  return condition === undefined || condition.status === "False" ? undefined : redactTextOf(rollout, condition.message);
}
