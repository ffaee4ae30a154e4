import type { ControllerWords } from "#lib/domain/delivery/controller-words.ts";
import { explainAbort } from "./history/abort-words.ts";

const reasons: Readonly<Record<string, string>> = {
  CanaryPauseStep: "At a pause step",
  BlueGreenPause: "Paused before promotion",
  InconclusiveAnalysisRun: "Analysis ended Inconclusive",
  InconclusiveExperiment: "Experiment ended Inconclusive",
  "manually paused": "Paused manually",
};

export const argoWords: ControllerWords = {
  nameReason: (reason) => (Object.hasOwn(reasons, reason) ? reasons[reason] : undefined),
  explainAbort,
};
