import { explainAbort } from "#lib/domain/argo/history/abort-words.ts";

const holdWords: Readonly<Record<string, string>> = {
  CanaryPauseStep: "At a pause step",
  BlueGreenPause: "Paused before promotion",
  InconclusiveAnalysisRun: "Analysis ended Inconclusive",
  InconclusiveExperiment: "Experiment ended Inconclusive",
  "manually paused": "Paused manually",
};

/** The controller's message in words: its bare reason for a pause, or what it says of an abort. Other text stays as it is. */
export function describeHold(reason: string): string {
  return holdWords[reason] ?? explainAbort(reason) ?? reason;
}
