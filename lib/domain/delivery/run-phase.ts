/** The phases of a run, a metric or a measurement as they are stored. A provider translates its controller's words. */
export const runPhases = ["Pending", "Running", "Successful", "Failed", "Error", "Inconclusive"] as const;
export type RunPhase = (typeof runPhases)[number];

export const endedPhases = ["Successful", "Failed", "Error", "Inconclusive"] as const satisfies readonly RunPhase[];
export type EndedPhase = (typeof endedPhases)[number];

/** Returns whether a phase cannot change any more. */
export function isCompleted(phase: string | undefined): phase is EndedPhase {
  return endedPhases.some((ended) => ended === phase);
}
