import { announceRun } from "./announce-changes.ts";
import { currentStep, isFullyPromoted } from "./canary-steps.ts";
import { createAnalysisRun } from "./create-analysis-run.ts";
import { isFastRollback } from "./fast-rollback.ts";
import type { PauseDecision } from "./pause-state.ts";
import { findPause, isAborted } from "./pause-state.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import type { Run } from "./rollout-runs.ts";
import {
  cancelRuns,
  deleteSurplusRuns,
  findRun,
  judgeRun,
  listOwnedRuns,
  needsNewRun,
  referTo,
} from "./rollout-runs.ts";
import type { RolloutParts, RunReference } from "./rollout-types.ts";

/** The runs that the Rollout's status names as current after this pass. */
export type AnalysisOutcome = { step?: RunReference; background?: RunReference };

type CurrentRuns = { step?: Run; background?: Run };

/**
 * Starts, judges, ends and deletes the runs of a canary; a failed verdict goes into `decision`. The order is that of
 * rollout/analysis.go reconcileAnalysisRuns (argo-rollouts at 9f8d111).
 */
export function reconcileRolloutAnalysis(
  context: ReconcileContext,
  parts: RolloutParts,
  decision: PauseDecision,
): AnalysisOutcome {
  const { rollout } = parts;
  const { currentStepAnalysisRunStatus, currentBackgroundAnalysisRunStatus } = rollout.status.canary ?? {};
  const owned = listOwnedRuns(context.store, rollout);
  const before: CurrentRuns = {
    step: findRun(owned, currentStepAnalysisRunStatus),
    background: findRun(owned, currentBackgroundAnalysisRunStatus),
  };
  const isOver =
    isFullyPromoted(rollout) ||
    isAborted(rollout, decision) ||
    rollout.status.promoteFull === true ||
    rollout.status.stableRS === undefined ||
    isFastRollback(parts, false);
  let current: CurrentRuns = {};
  if (isOver) {
    cancelRuns(context, [before.step, before.background]);
  } else {
    const step = reconcileStepRun({ context, parts, decision, current: before.step });
    const background = reconcileBackgroundRun({ context, parts, decision, current: before.background });
    current = { step, background };
  }
  const named = [current.step, current.background].map((run) => run?.metadata.name);
  // Runs that were current when the pass began do not count: they become old ones at the next pass.
  const others = owned.filter(
    (run) => !named.includes(run.metadata.name) && run !== before.step && run !== before.background,
  );
  cancelRuns(context, others);
  deleteSurplusRuns(context, parts, others);
  const outcome = { step: referTo(current.step), background: referTo(current.background) };
  announceRun(context, rollout, { type: "Step", before: currentStepAnalysisRunStatus, now: outcome.step });
  announceRun(context, rollout, {
    type: "Background",
    before: currentBackgroundAnalysisRunStatus,
    now: outcome.background,
  });
  return outcome;
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
  judgeRun(current, decision, "Step-based analysis phase error/failed");
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
  judgeRun(current, decision, "Background analysis phase error/failed");
  return current;
}
