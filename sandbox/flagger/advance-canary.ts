import { advanceRun, type Run, shiftToPrimary } from "./advance-run.ts";
import { readCanary, setCount, syncStatus } from "./canary-status.ts";
import {
  analysisOf,
  type Canary,
  canaryLabel,
  isBefore144,
  type Phase,
  skipsAnalysis,
  targetLabel,
  thresholdOf,
} from "./canary-types.ts";
import { failPromotion, finishPromotion, inPhase, promoteWithoutAnalysis, rollBack } from "./end-run.ts";
import type { FlaggerContext } from "./flagger-context.ts";
import { isRollbackAsked, mayStart, passesExternalChecks, passesPreRollout } from "./hook-gates.ts";
import { initializeCanary } from "./initialize-canary.ts";
import { findFailedMetric } from "./metric-checks.ts";
import { ALL_TO_PRIMARY, type TrafficRouter } from "./owned-objects.ts";
import { announce } from "./send-hooks.ts";
import { hasTargetChanged, scaleFromZero } from "./target-workload.ts";
import { createRouter, providerOf } from "./traffic-router.ts";
import { findCanaryProblem, findPrimaryProblem } from "./workload-readiness.ts";

const IN_RUN: readonly Phase[] = ["Progressing", "WaitingPromotion", "Promoting", "Finalising"];

/**
 * Makes one pass over a Canary (pkg/controller/scheduler.go advanceCanary of flagger 1.44.0). The pass works on the
 * Canary as it was at its start, but writes to the newest one. An error ends the pass and is announced.
 */
export async function advanceCanary(context: FlaggerContext, namespace: string, name: string): Promise<void> {
  const canary = readCanary(context, namespace, name);
  if (canary === undefined) {
    return;
  }
  if (canary.spec.suspend === true) {
    await announce(context, canary, { message: "skipping canary run as object is suspended" });
    return;
  }
  try {
    await pass(context, canary);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await announce(context, canary, { message, isWarning: true });
  }
}

async function pass(context: FlaggerContext, found: Canary): Promise<void> {
  const router = createRouter(context, found);
  const canary = await initializeCanary(context, found, router);
  if (canary === undefined || !findsWork(context, canary)) {
    return;
  }
  if (!skipsAnalysis(canary) && (await isStoppedByPrimary(context, canary, router))) {
    return;
  }
  const routes = router.read();
  if (!IN_RUN.includes(canary.status.phase)) {
    await startRun(context, canary);
    return;
  }
  if (await isRestarted(context, canary, router)) {
    return;
  }
  const problem = findCanaryProblem(context, canary);
  if (problem !== undefined) {
    await announce(context, canary, { message: problem.message, isWarning: true });
    if (!problem.isRetriable) {
      await rollBack(context, canary, router);
    }
    return;
  }
  if (skipsAnalysis(canary)) {
    await promoteWithoutAnalysis(context, canary, router);
    return;
  }
  await continueRun({ context, canary, analysis: analysisOf(canary), provider: providerOf(canary), router, routes });
}

/**
 * Returns whether there is a run, or a reason for one. A failed Canary takes over the target's hash first, so a pass
 * that ends before the run starts swallows the new revision (shouldAdvance).
 */
function findsWork(context: FlaggerContext, canary: Canary): boolean {
  const { phase } = canary.status;
  if (IN_RUN.includes(phase) || phase === "Waiting") {
    return true;
  }
  if (phase === "Failed") {
    syncStatus(context, canary, canary.status);
  }
  return hasTargetChanged(context, canary);
}

async function isStoppedByPrimary(context: FlaggerContext, canary: Canary, router: TrafficRouter): Promise<boolean> {
  const problem = findPrimaryProblem(context, canary);
  if (problem === undefined) {
    return false;
  }
  await announce(context, canary, { message: problem.message, isWarning: true });
  if (!problem.isRetriable) {
    const isPromotion = canary.status.phase === "Promoting" || canary.status.phase === "Finalising";
    if (isPromotion && !isBefore144(canary)) {
      await failPromotion(context, canary, { router, problem: problem.message });
    } else {
      await rollBack(context, canary, router);
    }
  }
  return true;
}

/** Starts a run if the gate lets it (checkCanaryStatus). */
async function startRun(context: FlaggerContext, { metadata }: Canary): Promise<void> {
  const canary = readCanary(context, metadata.namespace, metadata.name);
  if (canary === undefined || !(await mayStart(context, canary))) {
    return;
  }
  const message = `New revision detected! Scaling up ${targetLabel(canary)}`;
  await announce(context, inPhase(canary, "Progressing"), { message });
  scaleFromZero(context, canary);
  syncStatus(context, canary, { phase: "Progressing" });
}

async function isRestarted(context: FlaggerContext, canary: Canary, router: TrafficRouter): Promise<boolean> {
  const { phase } = canary.status;
  const mayRestart = phase === "Progressing" || phase === "WaitingPromotion";
  if (!mayRestart || !hasTargetChanged(context, canary)) {
    return false;
  }
  const message = `New revision detected! Restarting analysis for ${targetLabel(canary)}`;
  await announce(context, canary, { message });
  router.set(ALL_TO_PRIMARY);
  syncStatus(context, canary, { phase: "Progressing" });
  return true;
}

async function continueRun(run: Run): Promise<void> {
  const { context, canary, router } = run;
  const { phase, failedChecks } = canary.status;
  const mayRollBack = phase === "Progressing" || phase === "WaitingPromotion";
  if (mayRollBack && (await isRollbackAsked(context, canary))) {
    const message = `Rolling back ${canaryLabel(canary)} manual webhook invoked`;
    await announce(context, canary, { message, isWarning: true });
    await rollBack(context, canary, router);
    return;
  }
  if (phase === "Promoting") {
    await shiftToPrimary(run);
    return;
  }
  if (phase === "Finalising") {
    await finishPromotion(context, canary);
    return;
  }
  if (failedChecks >= thresholdOf(canary)) {
    await rollBack(context, canary, router);
    return;
  }
  if (!(await passesChecks(run))) {
    setCount(context, canary, { failedChecks: failedChecks + 1 });
    return;
  }
  await advanceRun(await forKubernetes(run));
}

/** Runs the checks of the round; the first round, without traffic, only has the pre-rollout hooks. */
async function passesChecks({ context, canary, analysis, routes }: Run): Promise<boolean> {
  const isMirrored = analysis.mirror === true && routes.isMirrored;
  if (routes.canary === 0 && canary.status.iterations === 0 && !isMirrored) {
    await announce(context, canary, { message: `Starting canary analysis for ${targetLabel(canary)}` });
    return passesPreRollout(context, canary);
  }
  if (!(await passesExternalChecks(context, canary))) {
    return false;
  }
  const failure = findFailedMetric(context, canary);
  if (failure !== undefined) {
    await announce(context, canary, { message: failure, isWarning: true });
  }
  return failure === undefined;
}

/** Without a router, only iterations are used: no matches, and ten iterations by default. */
async function forKubernetes(run: Run): Promise<Run> {
  const { context, canary, provider } = run;
  let { analysis } = run;
  if (provider !== "kubernetes") {
    return run;
  }
  const suffix = "is not supported when using the kubernetes provider";
  if ((analysis.match ?? []).length > 0) {
    await announce(context, canary, { message: `A/B testing ${suffix}`, isWarning: true });
    analysis = { ...analysis, match: [] };
  }
  if ((analysis.iterations ?? 0) < 1) {
    await announce(context, canary, { message: `Progressive traffic ${suffix}`, isWarning: true });
    await announce(context, canary, { message: "Setting canaryAnalysis.iterations: 10", isWarning: true });
    analysis = { ...analysis, iterations: 10 };
  }
  return { ...run, analysis, canary: { ...canary, spec: { ...canary.spec, analysis } } };
}
