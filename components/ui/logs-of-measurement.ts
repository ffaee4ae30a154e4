import type { Measurement } from "#lib/contract/analysis-run.ts";

/** Returns whether a measurement leads to the lines that the pods wrote around it: every one that did not succeed. */
export function hasLogs({ phase }: Pick<Measurement, "phase">): boolean {
  return phase === "Failed" || phase === "Error" || phase === "Inconclusive";
}

/** Returns the moment whose lines belong to a measurement, ISO 8601. */
export function timeOfLogs({ finishedAt, startedAt }: Pick<Measurement, "finishedAt" | "startedAt">): string {
  return finishedAt ?? startedAt;
}
