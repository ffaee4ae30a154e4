import { setPhase, syncStatus } from "./canary-status.ts";
import {
  type Canary,
  canaryLabel,
  isBefore144,
  type Phase,
  primaryNameOf,
  targetLabel,
  thresholdOf,
} from "./canary-types.ts";
import type { FlaggerContext } from "./flagger-context.ts";
import { callPostRollout } from "./hook-gates.ts";
import { ALL_TO_CANARY, ALL_TO_PRIMARY, type TrafficRouter } from "./owned-objects.ts";
import { promoteTarget } from "./primary-workload.ts";
import { announce } from "./send-hooks.ts";
import { scaleToZero } from "./target-workload.ts";

/** Returns the Canary as if it were in the phase, for its announcements. */
export function inPhase(canary: Canary, phase: Phase): Canary {
  return { ...canary, status: { ...canary.status, phase } };
}

/** Ends the run: all traffic to the primary, and no canary (pkg/controller/scheduler.go rollback of flagger 1.44.0). */
export async function rollBack(context: FlaggerContext, canary: Canary, router: TrafficRouter): Promise<void> {
  const { failedChecks } = canary.status;
  if (failedChecks >= thresholdOf(canary)) {
    const message = `Rolling back ${canaryLabel(canary)} failed checks threshold reached ${failedChecks}`;
    await announce(context, canary, { message, isWarning: true });
  }
  router.set(ALL_TO_PRIMARY);
  const message = `Canary failed! Scaling down ${canaryLabel(canary)}`;
  await announce(context, inPhase(canary, "Failed"), { message, isWarning: true });
  scaleToZero(context, canary);
  syncStatus(context, canary, { phase: "Failed" });
  await callPostRollout(context, canary, "Failed");
}

/**
 * Ends a run whose primary failed after it got the new spec: all traffic to the canary, which stays
 * (handleFailedPromotion, since 1.44.0).
 */
export async function failPromotion(
  context: FlaggerContext,
  canary: Canary,
  { router, problem }: { router: TrafficRouter; problem: string },
): Promise<void> {
  const message = `Promotion of ${targetLabel(canary)} failed, primary not ready: ${problem}`;
  await announce(context, canary, { message, isWarning: true });
  router.set(ALL_TO_CANARY);
  syncStatus(context, canary, { phase: "Failed", canaryWeight: ALL_TO_CANARY.canary });
  await callPostRollout(context, canary, "Failed");
}

/**
 * Gives the target's spec to the primary without waiting for it (shouldSkipAnalysis). Post-rollout hooks are called
 * since 1.44.0.
 */
export async function promoteWithoutAnalysis(
  context: FlaggerContext,
  canary: Canary,
  router: TrafficRouter,
): Promise<void> {
  router.set(ALL_TO_PRIMARY);
  await announceCopy(context, canary);
  promoteTarget(context, canary);
  scaleToZero(context, canary);
  setPhase(context, canary, "Succeeded");
  const succeeded = inPhase(canary, "Succeeded");
  if (!isBefore144(canary)) {
    await callPostRollout(context, succeeded, "Succeeded");
  }
  const message = `Promotion completed! Canary analysis was skipped for ${targetLabel(canary)}`;
  await announce(context, succeeded, { message });
}

/** Removes the canary after the traffic has left it. */
export async function finishPromotion(context: FlaggerContext, canary: Canary): Promise<void> {
  scaleToZero(context, canary);
  setPhase(context, canary, "Succeeded");
  const succeeded = inPhase(canary, "Succeeded");
  await callPostRollout(context, succeeded, "Succeeded");
  await announce(context, succeeded, { message: `Promotion completed! Scaling down ${targetLabel(canary)}` });
}

export function announceCopy(context: FlaggerContext, canary: Canary): Promise<void> {
  const primary = `${primaryNameOf(canary)}.${canary.metadata.namespace}`;
  return announce(context, canary, { message: `Copying ${targetLabel(canary)} template spec to ${primary}` });
}
