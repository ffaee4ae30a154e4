import type { ExperimentDetail } from "#lib/contract/experiment.ts";

/** Describes the verdict: the analysis that caused it, or the controller's message. */
export function describeExperiment({
  phase,
  message,
  name,
  analyses,
}: Pick<ExperimentDetail, "phase" | "message" | "name" | "analyses">): string {
  if (message !== "") return `${phase}: ${message}`;
  const same = analyses.filter((analysis) => analysis.phase === phase).map((analysis) => analysis.name);
  switch (phase) {
    case "Failed":
    case "Error":
    case "Inconclusive":
      return same.length === 0 ? `${phase}: ${name}` : `${phase}: so is its analysis ${same.join(", ")}`;
    case "Running":
      return `Running: ${describeRunning(analyses.length)}`;
    default:
      return `${phase}: ${name}`;
  }
}

function describeRunning(analyses: number): string {
  if (analyses === 0) return "the versions run side by side";
  return analyses === 1 ? "the versions are measured side by side" : `${analyses} analyses measure the versions`;
}

/** Returns notes on what weakens the verdict or makes it final. */
export function notesOf({ terminated, presence }: Pick<ExperimentDetail, "terminated" | "presence">): string[] {
  return [
    terminated && "The experiment was terminated before its analyses or its duration ended it.",
    presence === "deleted" && "The cluster has deleted this experiment. Everything below was recorded earlier.",
    presence === "unobserved" &&
      "The experiment ended while Gatehouse was not watching. Anything after the last record is unknown.",
  ].filter((note) => note !== false);
}
