import { isCompleted } from "#lib/domain/argo/analysis/phase.ts";
import { selectRunsToDelete } from "#lib/domain/argo/analysis/run-deletion.ts";
import type { AnalysisRunSpec, AnalysisRunStatus } from "#lib/domain/argo/analysis/types.ts";
import type { KubeObject, Store } from "#sandbox/apiserver/store-types.ts";
import { parseTime } from "./clock.ts";
import type { PauseDecision } from "./pause-state.ts";
import { findPause } from "./pause-state.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import { ROLLOUTS_MANAGER } from "./reconcile-context.ts";
import type { Rollout, RolloutParts, RunReference } from "./rollout-types.ts";
import { HASH_LABEL, hashOf, isOwnedBy } from "./rollout-types.ts";

export type Run = KubeObject;

const DEFAULT_HISTORY_LIMIT = 5;

export function listOwnedRuns(store: Store, rollout: Rollout): Run[] {
  return store.list("analysisruns", rollout.metadata.namespace).filter((run) => isOwnedBy(run, rollout.metadata.uid));
}

export function findRun(owned: Run[], reference: RunReference | undefined): Run | undefined {
  return reference === undefined ? undefined : owned.find((run) => run.metadata.name === reference.name);
}

/**
 * Returns whether a new run is due: without a current run, after a retry (abortedAt is still set), and after a person
 * has resumed from an Inconclusive one. In the last case, controllerPause is still true and neither a pause step nor a
 * blue-green pause holds the Rollout (rollout/analysis.go needsNewAnalysisRun, with the fix of upstream's #3850).
 */
export function needsNewRun(current: Run | undefined, rollout: Rollout): boolean {
  if (current === undefined) {
    return true;
  }
  const isHeld = findPause(rollout.status, "CanaryPauseStep") ?? findPause(rollout.status, "BlueGreenPause");
  if (rollout.status.controllerPause === true && isHeld === undefined) {
    return phaseOf(current) === "Inconclusive";
  }
  return rollout.status.abortedAt !== undefined;
}

/** Lets a run's verdict pause or abort the Rollout. */
export function judgeRun(run: Run | undefined, decision: PauseDecision, words: string): void {
  const phase = run === undefined ? undefined : phaseOf(run);
  if (phase === "Inconclusive") {
    decision.add.push("InconclusiveAnalysisRun");
  } else if (phase === "Failed" || phase === "Error") {
    const message = statusOf(run)?.message ?? "";
    decision.abortMessage = message === "" ? words : `${words}: ${message}`;
  }
}

export function cancelRuns({ store }: ReconcileContext, runs: (Run | undefined)[]): void {
  for (const run of runs) {
    const spec = run?.spec as AnalysisRunSpec | undefined;
    if (run !== undefined && spec?.terminate !== true && !isCompleted(phaseOf(run))) {
      store.update("analysisruns", { ...run, spec: { ...run.spec, terminate: true } }, { manager: ROLLOUTS_MANAGER });
    }
  }
}

/** Deletes runs beyond the history limits; `candidates` are the runs that are not current. */
export function deleteSurplusRuns({ store, log }: ReconcileContext, parts: RolloutParts, candidates: Run[]): void {
  const { rollout } = parts;
  const newestFirst = [...candidates].sort(
    (left, right) => Number(right.metadata.resourceVersion) - Number(left.metadata.resourceVersion),
  );
  const surplus = selectRunsToDelete({
    runs: newestFirst.map((run) => ({
      name: run.metadata.name,
      podHash: run.metadata.labels?.[HASH_LABEL],
      phase: phaseOf(run),
      createdAt: parseTime(run.metadata.creationTimestamp),
    })),
    replicaSets: parts.all.map((set) => ({
      podHash: hashOf(set),
      deleting: set.metadata.deletionTimestamp !== undefined,
    })),
    limits: historyLimits(rollout),
  });
  for (const { name } of surplus) {
    store.delete("analysisruns", rollout.metadata.namespace, name);
    log(`deleted AnalysisRun ${rollout.metadata.namespace}/${name} (history limit)`);
  }
}

export function historyLimits({ spec }: Rollout): { successful: number; unsuccessful: number } {
  return {
    successful: spec.analysis?.successfulRunHistoryLimit ?? DEFAULT_HISTORY_LIMIT,
    unsuccessful: spec.analysis?.unsuccessfulRunHistoryLimit ?? DEFAULT_HISTORY_LIMIT,
  };
}

export function referTo(run: Run | undefined): RunReference | undefined {
  if (run === undefined) {
    return undefined;
  }
  const { phase, message } = statusOf(run) ?? {};
  return { name: run.metadata.name, status: phase ?? "", ...(message ? { message } : {}) };
}

export function statusOf(run: Run | undefined): AnalysisRunStatus | undefined {
  return run?.status as AnalysisRunStatus | undefined;
}

export function phaseOf(run: Run): AnalysisRunStatus["phase"] {
  return statusOf(run)?.phase;
}
