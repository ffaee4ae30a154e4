import { isCompleted } from "#lib/domain/argo/analysis/phase.ts";
import { selectRunsToDelete } from "#lib/domain/argo/analysis/select-runs-to-delete.ts";
import type { AnalysisRunSpec, AnalysisRunStatus } from "#lib/domain/argo/analysis/types.ts";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { currentStep, isFullyPromoted } from "./canary-steps.ts";
import { parseTime } from "./clock.ts";
import { createAnalysisRun } from "./create-analysis-run.ts";
import type { PauseDecision } from "./pause-state.ts";
import { findPause, isAborted } from "./pause-state.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import { ROLLOUTS_MANAGER } from "./reconcile-context.ts";
import type { RolloutParts } from "./replica-counts.ts";
import type { Rollout, RunReference } from "./rollout-types.ts";
import { HASH_LABEL, hashOf, isOwnedBy } from "./rollout-types.ts";

/** The runs that the Rollout's status names as current after this pass. */
export type AnalysisOutcome = { step?: RunReference; background?: RunReference };

type Run = KubeObject;
type CurrentRuns = { step?: Run; background?: Run };

const DEFAULT_HISTORY_LIMIT = 5;

/**
 * Starts, judges, ends and deletes the Rollout's analysis runs; a bad verdict ends up in `decision`. The order is
 * that of rollout/analysis.go reconcileAnalysisRuns (argo-rollouts at 9f8d111).
 */
export function reconcileRolloutAnalysis(
  context: ReconcileContext,
  parts: RolloutParts,
  decision: PauseDecision,
): AnalysisOutcome {
  const { rollout, newSet } = parts;
  const owned = context.store
    .list("analysisruns", rollout.metadata.namespace)
    .filter((run) => isOwnedBy(run, rollout.metadata.uid));
  const before = findCurrentRuns(rollout, owned);
  const isOver =
    isFullyPromoted(rollout) ||
    isAborted(rollout, decision) ||
    rollout.status.promoteFull === true ||
    rollout.status.stableRS === undefined ||
    rollout.status.stableRS === hashOf(newSet);
  let current: CurrentRuns = {};
  if (isOver) {
    cancelRuns(context, [before.step, before.background]);
  } else {
    const step = reconcileStepRun({ context, parts, decision, current: before.step });
    const background = reconcileBackgroundRun({ context, parts, decision, current: before.background });
    current = { step, background };
  }
  const named = [current.step, current.background].map((run) => run?.metadata.name);
  const others = owned.filter((run) => !named.includes(run.metadata.name));
  cancelRuns(
    context,
    others.filter((run) => run !== before.step && run !== before.background),
  );
  deleteSurplusRuns(context, parts, { others, before });
  return { step: referTo(current.step), background: referTo(current.background) };
}

function findCurrentRuns(rollout: Rollout, owned: Run[]): CurrentRuns {
  const canary = rollout.status.canary;
  const find = (reference: RunReference | undefined) =>
    reference === undefined ? undefined : owned.find((run) => run.metadata.name === reference.name);
  return {
    step: find(canary?.currentStepAnalysisRunStatus),
    background: find(canary?.currentBackgroundAnalysisRunStatus),
  };
}

type RunInput = { context: ReconcileContext; parts: RolloutParts; decision: PauseDecision; current: Run | undefined };

function reconcileStepRun({ context, parts, decision, current }: RunInput): Run | undefined {
  const { rollout } = parts;
  if ((rollout.status.pauseConditions ?? []).length > 0 || rollout.status.abort === true) {
    return current;
  }
  const { step, index } = currentStep(rollout);
  const isOfOtherStep = current !== undefined && current.metadata.labels?.["step-index"] !== String(index);
  if (step?.analysis?.templates === undefined || index === undefined || isOfOtherStep) {
    cancelRuns(context, [current]);
    return undefined;
  }
  if (needsNewRun(current, rollout)) {
    const labels = { "rollout-type": "Step", "step-index": String(index) };
    return createAnalysisRun(context, { parts, analysis: step.analysis, suffix: `-${index}`, labels });
  }
  judge(current, decision, "Step-based analysis phase error/failed");
  return current;
}

function reconcileBackgroundRun({ context, parts, decision, current }: RunInput): Run | undefined {
  const { rollout } = parts;
  const analysis = rollout.spec.strategy.canary?.analysis;
  if (analysis?.templates === undefined || analysis.templates.length === 0) {
    cancelRuns(context, [current]);
    return undefined;
  }
  const { index } = currentStep(rollout);
  if (index !== undefined && analysis.startingStep !== undefined && index < analysis.startingStep) {
    return undefined;
  }
  if (findPause(rollout.status, "InconclusiveAnalysisRun") !== undefined) {
    return current;
  }
  if (needsNewRun(current, rollout)) {
    return createAnalysisRun(context, { parts, analysis, suffix: "", labels: { "rollout-type": "Background" } });
  }
  judge(current, decision, "Background analysis phase error/failed");
  return current;
}

/**
 * A run is due where there is none, after a retry (abortedAt still stands), and after a person has resumed from an
 * Inconclusive one: controllerPause is still true and no pause step holds the Rollout (the fix of upstream's #3850).
 */
function needsNewRun(current: Run | undefined, rollout: Rollout): boolean {
  if (current === undefined) {
    return true;
  }
  if (rollout.status.controllerPause === true && findPause(rollout.status, "CanaryPauseStep") === undefined) {
    return phaseOf(current) === "Inconclusive";
  }
  return rollout.status.abortedAt !== undefined;
}

function judge(run: Run | undefined, decision: PauseDecision, words: string): void {
  const phase = run === undefined ? undefined : phaseOf(run);
  if (phase === "Inconclusive") {
    decision.add.push("InconclusiveAnalysisRun");
  } else if (phase === "Failed" || phase === "Error") {
    const message = statusOf(run)?.message ?? "";
    decision.abortMessage = message === "" ? words : `${words}: ${message}`;
  }
}

function cancelRuns({ store }: ReconcileContext, runs: (Run | undefined)[]): void {
  for (const run of runs) {
    const spec = run?.spec as AnalysisRunSpec | undefined;
    if (run !== undefined && spec?.terminate !== true && !isCompleted(phaseOf(run))) {
      store.update("analysisruns", { ...run, spec: { ...run.spec, terminate: true } }, { manager: ROLLOUTS_MANAGER });
    }
  }
}

/** Runs that were current when the pass began do not count: they become old ones at the next pass. */
function deleteSurplusRuns(
  { store, log }: ReconcileContext,
  parts: RolloutParts,
  runs: { others: Run[]; before: CurrentRuns },
): void {
  const { rollout } = parts;
  const limits = rollout.spec.analysis;
  const candidates = runs.others
    .filter((run) => run !== runs.before.step && run !== runs.before.background)
    .sort((left, right) => Number(right.metadata.resourceVersion) - Number(left.metadata.resourceVersion));
  const surplus = selectRunsToDelete({
    runs: candidates.map((run) => ({
      name: run.metadata.name,
      podHash: run.metadata.labels?.[HASH_LABEL],
      phase: phaseOf(run),
      createdAt: parseTime(run.metadata.creationTimestamp),
    })),
    replicaSets: parts.all.map((set) => ({
      podHash: hashOf(set),
      deleting: set.metadata.deletionTimestamp !== undefined,
    })),
    limits: {
      successful: limits?.successfulRunHistoryLimit ?? DEFAULT_HISTORY_LIMIT,
      unsuccessful: limits?.unsuccessfulRunHistoryLimit ?? DEFAULT_HISTORY_LIMIT,
    },
  });
  for (const { name } of surplus) {
    store.delete("analysisruns", rollout.metadata.namespace, name);
    log(`deleted AnalysisRun ${rollout.metadata.namespace}/${name} (history limit)`);
  }
}

function referTo(run: Run | undefined): RunReference | undefined {
  if (run === undefined) {
    return undefined;
  }
  const { phase, message } = statusOf(run) ?? {};
  return { name: run.metadata.name, status: phase ?? "", ...(message ? { message } : {}) };
}

function statusOf(run: Run | undefined): AnalysisRunStatus | undefined {
  return run?.status as AnalysisRunStatus | undefined;
}

function phaseOf(run: Run): AnalysisRunStatus["phase"] {
  return statusOf(run)?.phase;
}
