import { knownControllerManagers } from "#lib/domain/argo/recognise-controller.ts";
import type {
  Activity,
  CountedRun,
  DeliveryState,
  Observation,
  PausePlace,
  Wait,
} from "#lib/domain/delivery/observation.ts";
import { wordStep } from "#lib/domain/delivery/word-step.ts";
import { formatAbort } from "../words.ts";
import { skippedBecause } from "./find-skipped-gates.ts";
import { type ArgoObservation, isAborted, type RolloutProjection } from "./rollout-projection.ts";

/** Converts an observation stored for a Rollout into the terms that all providers share. */
export function toObservation({ observedAt, resourceVersion, writer, projection }: ArgoObservation): Observation {
  const client = writer === null || knownControllerManagers.includes(writer) ? null : writer;
  return { observedAt, resourceVersion, client, state: toDeliveryState(projection) };
}

/** Converts a projection. Older ones lack the newer fields, whose values are then unknown. */
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
    activity: findActivity(projection),
    waits: projection.pauseConditions.map(
      ({ reason, startTime }): Wait => ({ key: `${reason} ${startTime}`, text: describePause(reason, projection) }),
    ),
    runs: listRuns(projection),
    ...(projection.experiment === null || projection.experiment === undefined
      ? {}
      : { experiment: projection.experiment }),
    ...(view.plugins === undefined ? {} : { plugins: view.plugins }),
    skippedGates: (view.skippedGates ?? []).map(({ step, at }) => ({ step, at, why: skippedBecause, run })),
    ...findPauses(projection),
    rollbackWindow: view.rollbackWindow ?? null,
    isSpecObserved: view.specObserved,
    ...(view.isScaledToZero === undefined ? {} : { isScaledToZero: view.isScaledToZero }),
    isDeleted: view.isDeleted === true,
  };
}

/** Returns how far it has got through its pauses. A blue-green has one, the wait before the switch. */
function findPauses({ view, currentPodHash, pauseConditions }: RolloutProjection): { pauses?: PausePlace } {
  const { pauseSteps, step, activeSelector, promotionWaitsForPerson } = view;
  if (typeof activeSelector === "string") {
    const isSwitched = activeSelector !== "" && activeSelector === currentPodHash;
    const waits = pauseConditions.some(({ reason }) => reason === "BlueGreenPause");
    const isTimed = waits && promotionWaitsForPerson === false;
    return { pauses: { steps: [0], reached: isSwitched || waits ? 1 : 0, passed: isSwitched ? 1 : 0, isTimed } };
  }
  if (pauseSteps === undefined) return {};
  // Without a step the controller has not begun.
  const at = step ?? -1;
  const reached = pauseSteps.filter((index) => index <= at).length;
  const passed = pauseSteps.filter((index) => index < at).length;
  return { pauses: { steps: pauseSteps, reached, passed, isTimed: reached > passed && !view.stepWaitsForPerson } };
}

/** The pauses that end by themselves; unknown reasons count as waiting for a person. */
function isTimed(reason: string, { view }: RolloutProjection): boolean {
  if (reason === "CanaryPauseStep") return !view.stepWaitsForPerson;
  return reason === "BlueGreenPause" && view.promotionWaitsForPerson === false;
}

function findActivity(projection: RolloutProjection): Activity {
  if (projection.paused) return "held";
  const { pauseConditions } = projection;
  if (pauseConditions.length > 0)
    return pauseConditions.every(({ reason }) => isTimed(reason, projection)) ? "pausing" : "waiting";
  // A background analysis keeps no step from passing.
  const holding = [projection.stepAnalysis, projection.prePromotionAnalysis, projection.postPromotionAnalysis];
  const isMeasuring = holding.some((run) => run !== null && ["", "Pending", "Running"].includes(run.phase));
  return isMeasuring || (projection.experiment ?? null) !== null ? "analysing" : "progressing";
}

function describePause(reason: string, { view }: RolloutProjection): string {
  const step = view.step === null ? "" : ` at step ${view.step + 1} of ${view.stepCount}`;
  if (reason === "CanaryPauseStep")
    return view.stepWaitsForPerson
      ? `Waits for a person${step}`
      : `Pauses${step}: ${wordStep(view.stepText ?? "timed")}`;
  if (reason === "BlueGreenPause") return "Waiting to switch traffic";
  if (reason === "InconclusiveAnalysisRun") return `Stopped${step}: an analysis run is Inconclusive`;
  if (reason === "InconclusiveExperiment") return `Stopped${step}: an experiment is Inconclusive`;
  return `Paused${step}: ${reason}`;
}

const titles = {
  stepAnalysis: "Step analysis",
  backgroundAnalysis: "Background analysis",
  prePromotionAnalysis: "Pre-promotion analysis",
  postPromotionAnalysis: "Post-promotion analysis",
} as const;

function listRuns(projection: RolloutProjection): CountedRun[] {
  // The condition does not name the run that it is about.
  const isHeld = projection.pauseConditions.some(({ reason }) => reason === "InconclusiveAnalysisRun");
  return Object.entries(titles).flatMap(([field, title]) => {
    const run = projection[field as keyof typeof titles];
    return run === null ? [] : [{ title, name: run.name, phase: run.phase, ...(isHeld ? { isHeld } : {}) }];
  });
}
