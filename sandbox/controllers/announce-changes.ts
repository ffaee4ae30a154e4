import { isSame } from "#lib/util/diff-merge.ts";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import { findCondition } from "./rollout-conditions.ts";
import {
  type Rollout,
  type RolloutParts,
  type RolloutStatus,
  type RunReference,
  revisionOf,
  type TrafficWeights,
} from "./rollout-types.ts";

/** Returns the object that a Rollout's Events refer to. */
export function rolloutObject({ metadata }: Rollout): Pick<KubeObject, "apiVersion" | "kind" | "metadata"> {
  return { apiVersion: "argoproj.io/v1alpha1", kind: "Rollout", metadata };
}

/**
 * Emits Events about the changes of a status write: pause, abort, weights, a new update (rollout/sync.go
 * sendStateChangeEvents and calculateRolloutConditions of argo-rollouts at 9f8d111).
 */
export function announceChanges({ events }: ReconcileContext, rollout: Rollout, next: RolloutStatus): void {
  const before = rollout.status;
  const about = rolloutObject(rollout);
  const weights = weightsMessage(before.canary?.weights, next.canary?.weights);
  if (weights !== undefined) {
    events.emit(about, { reason: "TrafficWeightUpdated", message: `Traffic weight updated ${weights}` });
  }
  const aborted = findCondition(next, "Progressing");
  if (aborted?.reason === "RolloutAborted" && findCondition(before, "Progressing")?.reason !== "RolloutAborted") {
    events.emit(about, { reason: "RolloutAborted", message: aborted.message, isWarning: true });
  }
  if (findCondition(next, "Completed")?.status === "False" && findCondition(before, "Completed")?.status !== "False") {
    const update = `revision ${revisionOf(rollout.metadata)} (${next.currentPodHash})`;
    events.emit(about, {
      reason: "RolloutNotCompleted",
      message: `Rollout not completed, started update to ${update}`,
    });
  }
  const wasPaused = (before.pauseConditions ?? []).length > 0;
  const [pause] = next.pauseConditions ?? [];
  if (!wasPaused && pause !== undefined) {
    events.emit(about, { reason: "RolloutPaused", message: `Rollout is paused (${pause.reason})` });
  } else if (wasPaused && pause === undefined && next.abortedAt === undefined) {
    events.emit(about, { reason: "RolloutResumed", message: "Rollout is resumed" });
  }
}

/** Emits an Event for a version that becomes the stable one; none if it was already (rollout/sync.go promoteStable). */
export function announcePromotion(
  { events }: ReconcileContext,
  { rollout }: Pick<RolloutParts, "rollout">,
  promotion: { reason: string; hash: string | undefined },
): void {
  const { reason, hash } = promotion;
  if (rollout.status.stableRS !== hash) {
    const message = `Rollout completed update to revision ${revisionOf(rollout.metadata)} (${hash}): ${reason}`;
    events.emit(rolloutObject(rollout), { reason: "RolloutCompleted", message });
  }
}

/** Emits an Event for a run whose phase is new to the Rollout (rollout/analysis.go emitAnalysisRunStatusChanges). */
export function announceRun(
  { events }: ReconcileContext,
  rollout: Rollout,
  run: { type: string; before: RunReference | undefined; now: RunReference | undefined },
): void {
  const { type, before, now } = run;
  const isNew = before === undefined || (before.name === now?.name && before.status !== now.status);
  if (now === undefined || now.status === "" || !isNew) {
    return;
  }
  const previous = before === undefined ? "NoPreviousStatus" : before.status;
  events.emit(rolloutObject(rollout), {
    reason: `AnalysisRun${now.status}`,
    message: `${type} Analysis Run '${now.name}' Status New: '${now.status}' Previous: '${previous}'`,
    isWarning: now.status === "Failed" || now.status === "Error",
  });
}

function weightsMessage(before: TrafficWeights | undefined, next: TrafficWeights | undefined): string | undefined {
  if (next === undefined || isSame(before, next)) {
    return undefined;
  }
  const details: string[] = [];
  if (before === undefined) {
    details.push(`to ${next.canary.weight}`);
  } else if (before.canary.weight !== next.canary.weight) {
    details.push(`from ${before.canary.weight} to ${next.canary.weight}`);
  }
  if (before !== undefined && !isSame(before.additional, next.additional)) {
    const list = (next.additional ?? []).map(({ serviceName, weight }) => `${serviceName}=${weight}`);
    details.push(`additional: ${list.join(" ")}`);
  }
  return details.join(", ");
}
