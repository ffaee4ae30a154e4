import { isCompleted } from "./phase.ts";
import type { AnalysisPhase, TtlStrategy } from "./types.ts";

/**
 * Returns whether a finished run may be deleted: more than the strategy's seconds have passed since `completedAt`
 * (epoch milliseconds; whole seconds count). Success and failure have their own limits, which override the one for any
 * completion; Error and Inconclusive use only the latter.
 * Mirrors argo-rollouts analysis/analysis.go `isAnalysisRunTtlExceeded`.
 */
export function isTtlExceeded(input: {
  readonly ttlStrategy: TtlStrategy | undefined;
  readonly phase: AnalysisPhase | undefined;
  readonly completedAt: number | undefined;
  readonly now: number;
}): boolean {
  const limitSeconds = ttlSeconds(input.ttlStrategy, input.phase);
  if (limitSeconds === undefined || input.completedAt === undefined) return false;
  return Math.trunc((input.now - input.completedAt) / 1000) > limitSeconds;
}

/** Returns the seconds that a run of this phase may live after completion; undefined means for ever. */
export function ttlSeconds(strategy: TtlStrategy | undefined, phase: AnalysisPhase | undefined): number | undefined {
  if (strategy === undefined || !isCompleted(phase)) return undefined;
  if (phase === "Successful") return strategy.secondsAfterSuccess ?? strategy.secondsAfterCompletion;
  if (phase === "Failed") return strategy.secondsAfterFailure ?? strategy.secondsAfterCompletion;
  return strategy.secondsAfterCompletion;
}
