/** `CanaryPhase` of pkg/apis/flagger/v1beta1/status.go, Flagger 1.44.0. */
const knownPhases: readonly string[] = [
  "",
  "Initializing",
  "Initialized",
  "Waiting",
  "Progressing",
  "WaitingPromotion",
  "Promoting",
  "Finalising",
  "Succeeded",
  "Failed",
  "Terminating",
  "Terminated",
];

/** In these phases Flagger checks a version, and asks about steps, promotion and rollback. */
export const analysingPhases: readonly string[] = ["Progressing", "WaitingPromotion"];

/** Returns whether it is a phase of Flagger 1.44, or none yet; forks have others. */
export function isKnownPhase(phase: string): boolean {
  return knownPhases.includes(phase);
}
