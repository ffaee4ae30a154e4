import { isCompleted } from "./phase.ts";
import type { AnalysisPhase, TtlStrategy } from "./types.ts";

export type DeletableRun = {
  readonly name: string;
  /** Value of label `rollouts-pod-template-hash`. */
  readonly podHash?: string;
  readonly phase?: AnalysisPhase;
  /** Epoch milliseconds. */
  readonly createdAt?: number;
};

/**
 * Selects the runs of a Rollout that the controller deletes, newest first: those of a pod hash without a live
 * ReplicaSet, and the oldest finished ones beyond the limits. Running ones stay. The caller leaves out runs that the
 * Rollout's status names as current (utils/analysis/filter.go `FilterAnalysisRunsToDelete`). Runs of the same second
 * keep the order given; upstream's order among them is undefined.
 */
export function selectRunsToDelete<Run extends DeletableRun>(input: {
  readonly runs: readonly Run[];
  readonly replicaSets: readonly { readonly podHash?: string; readonly deleting?: boolean }[];
  readonly limits: { readonly successful: number; readonly unsuccessful: number };
}): readonly Run[] {
  const isDeleting = new Map<string, boolean>();
  for (const { podHash, deleting } of input.replicaSets) {
    if (podHash !== undefined) isDeleting.set(podHash, deleting === true);
  }
  const newestFirst = [...input.runs].sort((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0));
  let successful = 0;
  let unsuccessful = 0;
  return newestFirst.filter((run) => {
    if (run.podHash === undefined || isDeleting.get(run.podHash) !== false) return true;
    if (run.phase === "Successful") return ++successful > input.limits.successful;
    const ended = run.phase === "Failed" || run.phase === "Error" || run.phase === "Inconclusive";
    return ended && ++unsuccessful > input.limits.unsuccessful;
  });
}

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
