import type { ObservationChanges } from "#lib/domain/argo/history/testing/sample-observations.ts";

/**
 * The case table: changes that a controller writes, and the releases and events derived from them. A release reads
 * `key#attempt rRevision state begin-end message`, with observation numbers as times. The event of the first
 * observation is left out.
 */
export type Case = { name: string; changes: ObservationChanges[]; releases: string[]; events: string[] };

export const stable = {};
export const firstSeen = "aaa#1 r1 promoted 0-0 already running when first seen";
export const second = {
  currentPodHash: "bbb",
  currentStepIndex: 0,
  view: { phase: "Progressing", revision: 2, step: 0, stepText: "setWeight: 20", images: ["shop:2"] },
};
export const third = {
  currentPodHash: "ccc",
  view: { phase: "Progressing", message: "", revision: 3, step: 0, images: ["shop:3"] },
};
export const promoted = { stableRS: "bbb", promoteFull: false, view: { phase: "Healthy", message: "", step: 5 } };
export const begins = "revision: Revision 2 begins: shop:2";
export const isStable = "phase: Promoted: revision 2 is stable";

export const aborted = {
  abort: true,
  view: { phase: "Degraded", message: "RolloutAborted: x", step: 0, abortedAt: "t1" },
};
export const isAborted = "abort: Aborted: RolloutAborted: x";
export const retried = { abort: false, view: { phase: "Progressing", message: "", abortedAt: null } };

export const waits = {
  pauseConditions: [{ reason: "CanaryPauseStep", startTime: "t" }],
  view: { phase: "Paused", message: "CanaryPauseStep", step: 4, stepText: "pause", stepWaitsForPerson: true },
};

export const green = {
  currentPodHash: "bbb",
  currentStepIndex: null,
  currentStepHash: "",
  view: {
    strategy: "BlueGreen",
    phase: "Progressing",
    message: "active service cutover pending",
    revision: 2,
    step: null,
    stepCount: 0,
    weight: null,
    images: ["shop:2"],
    activeSelector: "aaa",
  },
};
export const blue = {
  currentStepIndex: null,
  currentStepHash: "",
  view: { ...green.view, phase: "Healthy", message: "", revision: 1 },
};
export const switched = { view: { activeSelector: "bbb", message: "waiting for analysis to complete" } };
export const isSwitched = "step: Active service switched to revision 2";
export const run = (phase: string) => ({ postPromotionAnalysis: { name: "r-post", phase } });

export const created = {
  currentPodHash: "",
  stableRS: "",
  currentStepHash: "",
  view: {
    phase: "Progressing",
    message: "more replicas need to be updated",
    revision: null,
    step: null,
    images: ["shop:1"],
  },
};
