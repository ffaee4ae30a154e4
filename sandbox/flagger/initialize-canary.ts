import { readCanary, syncStatus } from "./canary-status.ts";
import { type Canary, canaryLabel, skipsAnalysis } from "./canary-types.ts";
import { inPhase, rollBack } from "./end-run.ts";
import type { FlaggerContext } from "./flagger-context.ts";
import { findMissingTemplate } from "./metric-checks.ts";
import type { TrafficRouter } from "./owned-objects.ts";
import { createPrimary } from "./primary-workload.ts";
import { announce } from "./send-hooks.ts";
import { reconcileApexService, reconcileServices } from "./service-router.ts";
import { scaleToZero } from "./target-workload.ts";
import { findPrimaryProblem } from "./workload-readiness.ts";

/**
 * Makes the primary, the Services and the route of a Canary if they are missing, and initialises a new one: the first
 * part of each pass (pkg/controller/scheduler.go advanceCanary of flagger 1.44.0). Returns the Canary with which the
 * pass goes on, or undefined if it ends here.
 */
export async function initializeCanary(
  context: FlaggerContext,
  canary: Canary,
  router: TrafficRouter,
): Promise<Canary | undefined> {
  const { phase } = canary.status;
  const isNew = phase === "" || phase === "Initializing";
  reconcileServices(context, canary);
  if (isNew && !skipsAnalysis(canary)) {
    await announceMetrics(context, canary);
  }
  createPrimary(context, canary);
  const problem = isNew && !skipsAnalysis(canary) ? findPrimaryProblem(context, canary) : undefined;
  if (problem !== undefined) {
    await announce(context, canary, { message: problem.message, isWarning: true });
    if (!problem.isRetriable) {
      await rollBack(context, canary, router);
    }
    return undefined;
  }
  reconcileApexService(context, canary);
  if (isNew) {
    scaleToZero(context, canary);
  }
  router.reconcile();
  return isNew ? finishInitialization(context, canary) : canary;
}

async function announceMetrics(context: FlaggerContext, canary: Canary): Promise<void> {
  const missing = findMissingTemplate(context, canary);
  await announce(
    context,
    canary,
    missing === undefined
      ? { message: "all the metrics providers are available!" }
      : { message: `Error checking metric providers: ${missing}`, isWarning: true },
  );
}

async function finishInitialization(context: FlaggerContext, canary: Canary): Promise<Canary | undefined> {
  syncStatus(context, canary, { phase: "Initialized" });
  const initialized = readCanary(context, canary.metadata.namespace, canary.metadata.name);
  if (initialized !== undefined) {
    await announce(context, inPhase(initialized, "Initialized"), {
      message: `Initialization done! ${canaryLabel(canary)}`,
    });
  }
  return initialized;
}
