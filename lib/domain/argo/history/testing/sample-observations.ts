import { toObservation } from "#lib/domain/argo/history/delivery-state.ts";
import type { ArgoObservation, RolloutProjection } from "#lib/domain/argo/history/rollout-projection.ts";
import type { Observation } from "#lib/domain/delivery/observation.ts";

export type ObservationChanges = Partial<Omit<RolloutProjection, "view">> & {
  view?: Partial<RolloutProjection["view"]>;
  writer?: string;
};

const start = Date.parse("2026-11-20T10:00:00Z");

/** Returns the time of the n-th observation of `observe`. */
export function timeOf(index: number): string {
  return new Date(start + index * 1000).toISOString();
}

/** A stable revision 1 (hash `aaa`) of five steps. */
export const stableProjection: RolloutProjection = {
  uid: "u",
  paused: false,
  template: "t1",
  strategy: "s",
  workloadRef: null,
  workloadGeneration: null,
  currentPodHash: "aaa",
  stableRS: "aaa",
  currentStepIndex: 5,
  currentStepHash: "h",
  controllerPause: false,
  pauseConditions: [],
  abort: false,
  promoteFull: false,
  stepAnalysis: null,
  backgroundAnalysis: null,
  prePromotionAnalysis: null,
  postPromotionAnalysis: null,
  experiment: null,
  view: {
    phase: "Healthy",
    message: "",
    strategy: "Canary",
    revision: 1,
    step: 5,
    stepCount: 5,
    stepText: null,
    stepWaitsForPerson: false,
    weight: 100,
    images: ["shop:1"],
    abortedAt: null,
    specObserved: true,
    rollbackWindow: null,
    activeSelector: null,
    isScaledToZero: false,
    isDeleted: false,
  },
};

/** Builds stored observations for tests, from `stableProjection` on; each item changes the previous one. */
export function observe(...changes: readonly ObservationChanges[]): ArgoObservation[] {
  let projection = stableProjection;
  return changes.map(({ view, writer = "rollouts-controller", ...rest }, index) => {
    projection = { ...projection, ...rest, view: { ...projection.view, ...view } };
    return { observedAt: timeOf(index), resourceVersion: String(100 + index), writer, projection };
  });
}

/** Does the same in the terms that all providers share. */
export function observeStates(...changes: readonly ObservationChanges[]): Observation[] {
  return observe(...changes).map(toObservation);
}
