import { announcePromotion } from "./announce-changes.ts";
import type { BlueGreenRuns } from "./blue-green-analysis.ts";
import { isPrePromotionDone } from "./blue-green-analysis.ts";
import type { PromotionInput } from "./blue-green-promotion.ts";
import { isPauseCompleted } from "./blue-green-promotion.ts";
import { isFastRollback, isRollbackWithinWindow } from "./fast-rollback.ts";
import { applyPauseDecision, isAborted } from "./pause-state.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import { sumReplicas } from "./replica-counts.ts";
import { applyConditions } from "./rollout-conditions.ts";
import { phaseOf, referTo } from "./rollout-runs.ts";
import { computeCommonStatus, formatSelector } from "./rollout-status.ts";
import type { RolloutStatus } from "./rollout-types.ts";
import { hashOf } from "./rollout-types.ts";

/** The result of one pass over a blue-green Rollout; `isReset` marks the pass that sees a new template. */
export type BlueGreenPass = Omit<PromotionInput, "time"> & {
  previewHash: string;
  isReset: boolean;
  /** The current runs after the pass; a reset pass names none. */
  current: BlueGreenRuns;
};

/**
 * Computes the whole new status at the end of a pass, except phase and observedGeneration (rollout/bluegreen.go
 * syncRolloutStatusBlueGreen of argo-rollouts at 9f8d111).
 */
export function computeBlueGreenStatus(context: ReconcileContext, pass: BlueGreenPass): RolloutStatus {
  const { parts, decision, isReset, current, activeHash, previewHash } = pass;
  const { rollout, all } = parts;
  const next = computeCommonStatus(parts);
  next.promoteFull = rollout.status.promoteFull === true ? true : undefined;
  next.blueGreen = {
    ...(previewHash === "" ? {} : { previewSelector: previewHash }),
    ...(activeHash === "" ? {} : { activeSelector: activeHash }),
  };
  if (isReset) {
    decision.clear = true;
    decision.removeAbort = true;
    next.promoteFull = undefined;
    next.restartedAt = rollout.spec.restartAt;
  } else {
    const [pre, post] = [referTo(current.pre), referTo(current.post)];
    Object.assign(next.blueGreen, pre && { prePromotionAnalysisRunStatus: pre });
    Object.assign(next.blueGreen, post && { postPromotionAnalysisRunStatus: post });
  }
  if (rollout.status.promoteFull === true || isRollbackWithinWindow(parts)) {
    decision.clear = true;
    decision.removeAbort = true;
  }
  const reason = promotionReason(pass, next);
  if (reason !== undefined) {
    promote(context, pass, next, reason);
  } else if (!isReset && computeCheckPoint(context, pass)) {
    next.blueGreen.scaleUpPreviewCheckPoint = true;
  }
  const active = activeHash === "" ? undefined : all.find((set) => hashOf(set) === activeHash);
  if (active === undefined) {
    next.availableReplicas = sumReplicas(all, "availableReplicas");
  } else {
    next.HPAReplicas = active.status.replicas;
    next.selector = formatSelector(active.spec.selector);
    next.availableReplicas = active.status.availableReplicas;
    next.readyReplicas = active.status.readyReplicas;
  }
  applyPauseDecision({ rollout, decision, next, nowMs: context.nowMs });
  const abortMessage = isAborted(rollout, decision) ? (decision.abortMessage ?? "") : undefined;
  applyConditions({ parts, next, abortMessage, nowMs: context.nowMs });
  return next;
}

/** Returns why the new version is the stable one now; undefined if it is not (rollout/sync.go shouldFullPromote). */
function promotionReason(pass: BlueGreenPass, next: RolloutStatus): string | undefined {
  const { parts, decision, activeHash, current, isWithinDelay } = pass;
  const { rollout, stable } = parts;
  if (stable === undefined || activeHash === "") {
    return "Initial deploy";
  }
  if (activeHash !== next.currentPodHash) {
    return undefined;
  }
  if (rollout.status.promoteFull === true) {
    return "Full promotion requested";
  }
  if (isFastRollback(parts, isWithinDelay)) {
    return isRollbackWithinWindow(parts) ? "Rollback within window" : "Fast rollback";
  }
  if (isAborted(rollout, decision)) {
    return undefined;
  }
  const isAnalysed = rollout.spec.strategy.blueGreen?.postPromotionAnalysis !== undefined;
  const isGood = current.post !== undefined && phaseOf(current.post) === "Successful";
  return isAnalysed && !isGood ? undefined : "Completed blue-green update";
}

/** Makes the new version the stable one; its runs stay named (rollout/sync.go promoteStable). */
function promote(context: ReconcileContext, { parts, decision }: BlueGreenPass, next: RolloutStatus, reason: string) {
  decision.clear = true;
  decision.removeAbort = true;
  next.promoteFull = undefined;
  announcePromotion(context, parts, { reason, hash: next.currentPodHash });
  next.stableRS = next.currentPodHash;
}

/** Returns the check point: set once the preview replicas exist and the pause is over; it stays until the promotion. */
function computeCheckPoint(context: ReconcileContext, pass: BlueGreenPass): boolean {
  const { rollout, newSet } = pass.parts;
  const previewCount = rollout.spec.strategy.blueGreen?.previewReplicaCount;
  if (previewCount === undefined || rollout.status.blueGreen?.scaleUpPreviewCheckPoint === true) {
    return previewCount !== undefined;
  }
  const time = { nowMs: context.nowMs, speed: context.speed };
  const isOver = isPrePromotionDone(rollout, pass.current) && isPauseCompleted({ ...pass, time });
  return isOver && newSet?.status.availableReplicas === previewCount;
}
