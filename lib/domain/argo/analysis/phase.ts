import type { AnalysisPhase, AnalysisRunSpec, MetricResult } from "./types.ts";

const badness: Readonly<Record<AnalysisPhase, number>> = {
  Successful: 0,
  Running: 1,
  Pending: 2,
  Inconclusive: 3,
  Error: 4,
  Failed: 5,
};

// analysis_types.go `AnalysisPhase.Completed`.
// biome-ignore lint/performance/noBarrelFile: the sandbox may import no more of ours than the engine.
export { isCompleted } from "#lib/domain/delivery/run-phase.ts";

/** Returns whether `next` is worse than `current` (utils/analysis/helpers.go `IsWorse`). */
export function isWorsePhase(current: AnalysisPhase, next: AnalysisPhase): boolean {
  return badness[next] > badness[current];
}

/** Returns the worse of two phases (utils/analysis/helpers.go `Worst`). */
export function worstPhase(left: AnalysisPhase, right: AnalysisPhase): AnalysisPhase {
  return isWorsePhase(left, right) ? right : left;
}

/**
 * Returns whether a run takes no new measurements: it was told to terminate, or a metric that is not a dry run has
 * already ended badly (utils/analysis/helpers.go `IsTerminating`).
 */
export function isTerminating(spec: Pick<AnalysisRunSpec, "terminate">, results: readonly MetricResult[]): boolean {
  if (spec.terminate === true) return true;
  return results.some((result) => {
    if (result.dryRun === true) return false;
    return result.phase === "Failed" || result.phase === "Error" || result.phase === "Inconclusive";
  });
}
