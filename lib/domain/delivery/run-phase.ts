/** The phases of a run, a metric or a measurement as they are stored. A provider translates its controller's words. */
export const runPhases = ["Pending", "Running", "Successful", "Failed", "Error", "Inconclusive"] as const;
export type RunPhase = (typeof runPhases)[number];

/** Returns whether a phase cannot change any more. */
export function isCompleted(phase: string | undefined): boolean {
  return phase === "Successful" || phase === "Failed" || phase === "Error" || phase === "Inconclusive";
}
