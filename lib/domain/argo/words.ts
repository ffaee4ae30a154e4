import type { ControllerWords } from "#lib/domain/delivery/controller-words.ts";
import { explainAbort, isAbortOnRequest } from "./history/abort-words.ts";

/** Upstream's message for spec.paused. */
export const manuallyPaused = "manually paused";

const reasons: Readonly<Record<string, string>> = {
  CanaryPauseStep: "At a pause step",
  BlueGreenPause: "Paused before promotion",
  InconclusiveAnalysisRun: "Analysis ended Inconclusive",
  InconclusiveExperiment: "Experiment ended Inconclusive",
  [manuallyPaused]: "Paused manually",
};

export const argoWords: ControllerWords = {
  kind: "Rollout",
  areSentences: false,
  nameReason: (reason) => (Object.hasOwn(reasons, reason) ? reasons[reason] : undefined),
  explainAbort,
  isAbortOnRequest,
  explainPause: (message, place) => (message === manuallyPaused ? `Paused manually (spec.paused)${place}.` : undefined),
};
