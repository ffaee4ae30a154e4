import { announceRun } from "./announce-changes.ts";
import { isFullyPromoted } from "./canary-steps.ts";
import { createAnalysisRun } from "./create-analysis-run.ts";
import { isFastRollback } from "./fast-rollback.ts";
import type { PauseDecision } from "./pause-state.ts";
import { findPause, isAborted } from "./pause-state.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import { desiredReplicas, isSaturated } from "./replica-counts.ts";
import type { Run } from "./rollout-runs.ts";
import {
  cancelRuns,
  deleteSurplusRuns,
  findRun,
  judgeRun,
  listOwnedRuns,
  needsNewRun,
  phaseOf,
  referTo,
} from "./rollout-runs.ts";
import type { Rollout, RolloutAnalysis, RolloutParts } from "./rollout-types.ts";
import { hashOf } from "./rollout-types.ts";

export type BlueGreenRuns = { pre?: Run; post?: Run };

/** Finds the runs that the status names as current at the start of the pass. */
export function findBlueGreenRuns(context: ReconcileContext, rollout: Rollout): BlueGreenRuns {
  const { prePromotionAnalysisRunStatus, postPromotionAnalysisRunStatus } = rollout.status.blueGreen ?? {};
  const owned = listOwnedRuns(context.store, rollout);
  return {
    pre: findRun(owned, prePromotionAnalysisRunStatus),
    post: findRun(owned, postPromotionAnalysisRunStatus),
  };
}

/** Returns whether the pre-promotion analysis is absent or Successful; time never makes it true. */
export function isPrePromotionDone(rollout: Rollout, { pre }: BlueGreenRuns): boolean {
  const analysis = rollout.spec.strategy.blueGreen?.prePromotionAnalysis;
  return analysis === undefined || (pre !== undefined && phaseOf(pre) === "Successful");
}

/**
 * Starts, judges, ends and deletes the runs of a blue-green Rollout; a failed verdict goes into `decision`. Runs stay
 * named in the status after the promotion (rollout/analysis.go reconcileAnalysisRuns of argo-rollouts at 9f8d111).
 */
export function reconcileBlueGreenAnalysis(
  context: ReconcileContext,
  input: { parts: RolloutParts; decision: PauseDecision; before: BlueGreenRuns; isWithinDelay: boolean },
): BlueGreenRuns {
  const { parts, decision, before } = input;
  const { rollout } = parts;
  const { status, spec } = rollout;
  const isOver =
    isFullyPromoted(rollout) ||
    isAborted(rollout, decision) ||
    status.promoteFull === true ||
    status.stableRS === undefined ||
    isFastRollback(parts, input.isWithinDelay);
  let current = before;
  if (isOver) {
    cancelRuns(context, [before.pre, before.post]);
  } else {
    const strategy = spec.strategy.blueGreen;
    const pre = reconcileRun(context, {
      parts,
      analysis: strategy?.prePromotionAnalysis,
      current: before.pre,
      isSkipped: skipsPrePromotion(parts, before.pre),
      name: { type: "PrePromotion", suffix: "-pre" },
    });
    judgeRun(pre, decision, "Blue/green pre-promotion analysis phase error/failed");
    const post = reconcileRun(context, {
      parts,
      analysis: strategy?.postPromotionAnalysis,
      current: before.post,
      isSkipped: skipsPostPromotion(parts, before.post),
      name: { type: "PostPromotion", suffix: "-post" },
    });
    judgeRun(post, decision, "Blue/green post-promotion analysis phase error/failed");
    current = { pre, post };
  }
  const named = [current.pre, current.post, before.pre, before.post].map((run) => run?.metadata.name);
  const others = listOwnedRuns(context.store, rollout).filter((run) => !named.includes(run.metadata.name));
  cancelRuns(context, others);
  deleteSurplusRuns(context, parts, others);
  const { prePromotionAnalysisRunStatus, postPromotionAnalysisRunStatus } = status.blueGreen ?? {};
  announceRun(context, rollout, {
    type: "PostPromotion",
    before: postPromotionAnalysisRunStatus,
    now: referTo(current.post),
  });
  announceRun(context, rollout, {
    type: "PrePromotion",
    before: prePromotionAnalysisRunStatus,
    now: referTo(current.pre),
  });
  return current;
}

function reconcileRun(
  context: ReconcileContext,
  input: {
    parts: RolloutParts;
    analysis: RolloutAnalysis | undefined;
    current: Run | undefined;
    isSkipped: boolean;
    name: { type: string; suffix: string };
  },
): Run | undefined {
  const { parts, analysis, current, isSkipped, name } = input;
  if (analysis?.templates === undefined || analysis.templates.length === 0) {
    cancelRuns(context, [current]);
    return undefined;
  }
  if (isSkipped) {
    cancelRuns(context, [current]);
    return current;
  }
  const isHeld = findPause(parts.rollout.status, "InconclusiveAnalysisRun") !== undefined;
  if (isHeld || !needsNewRun(current, parts.rollout)) {
    return current;
  }
  return createAnalysisRun(context, { parts, analysis, suffix: name.suffix, labels: { "rollout-type": name.type } });
}

/** Returns true if the promotion is over or the replicas are not there yet (skipPrePromotionAnalysisRun). */
function skipsPrePromotion({ rollout, newSet }: RolloutParts, current: Run | undefined): boolean {
  const { stableRS, blueGreen = {} } = rollout.status;
  const { activeSelector = "" } = blueGreen;
  const hash = hashOf(newSet);
  if (newSet === undefined || stableRS === hash || activeSelector === "" || activeSelector === hash) {
    return true;
  }
  if (current !== undefined) {
    return false;
  }
  const previewCount = rollout.spec.strategy.blueGreen?.previewReplicaCount;
  if (previewCount !== undefined) {
    return newSet.spec.replicas !== previewCount || newSet.status.availableReplicas !== previewCount;
  }
  return !isSaturated(newSet, desiredReplicas(rollout));
}

/** Returns true if the promotion has not happened, or is already final (skipPostPromotionAnalysisRun). */
export function skipsPostPromotion({ rollout, newSet }: RolloutParts, current: Run | undefined): boolean {
  const hash = hashOf(newSet);
  if (newSet === undefined || rollout.status.stableRS === hash || rollout.status.blueGreen?.activeSelector !== hash) {
    return true;
  }
  return current === undefined && !isSaturated(newSet, desiredReplicas(rollout));
}
