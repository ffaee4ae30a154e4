const holdWords: Readonly<Record<string, string>> = {
  CanaryPauseStep: "At a pause step",
  BlueGreenPause: "Paused before promotion",
  InconclusiveAnalysisRun: "Analysis ended Inconclusive",
  InconclusiveExperiment: "Experiment ended Inconclusive",
  "manually paused": "Paused manually",
};

/** What holds a rollout, in words: the controller writes its bare reason as the message. Other text stays as it is. */
export function describeHold(reason: string): string {
  return holdWords[reason] ?? reason;
}
