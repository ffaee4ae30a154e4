import { setCount, setPhase } from "./canary-status.ts";
import { type Analysis, type Canary, canaryLabel, strategyOf } from "./canary-types.ts";
import { announceCopy } from "./end-run.ts";
import type { FlaggerContext } from "./flagger-context.ts";
import { mayIncreaseTraffic, mayPromote } from "./hook-gates.ts";
import { ALL_TO_CANARY, ALL_TO_PRIMARY, type Routes, type TrafficRouter } from "./owned-objects.ts";
import { promoteTarget } from "./primary-workload.ts";
import { announce } from "./send-hooks.ts";

export type Run = {
  context: FlaggerContext;
  canary: Canary;
  analysis: Analysis;
  provider: string;
  router: TrafficRouter;
  routes: Routes;
};

/** Takes the next step of a run whose checks passed (pkg/controller/scheduler.go advanceCanary of flagger 1.44.0). */
export async function advanceRun(run: Run): Promise<void> {
  switch (strategyOf(run.analysis)) {
    case "ab-testing":
      return advanceAbTest(run);
    case "blue-green":
      return advanceBlueGreen(run);
    case "canary":
      return advanceCanary(run);
  }
}

/** Moves traffic back to the primary, which has the new spec (runPromotionTrafficShift). */
export async function shiftToPrimary({ context, canary, analysis, provider, router, routes }: Run): Promise<void> {
  const { stepWeightPromotion = 0 } = analysis;
  if (provider === "kubernetes") {
    setPhase(context, canary, "Finalising");
    return;
  }
  if (stepWeightPromotion === 0) {
    await announce(context, canary, { message: "Routing all traffic to primary" });
    router.set(ALL_TO_PRIMARY);
    setPhase(context, canary, "Finalising");
    return;
  }
  if (routes.canary === 0) {
    return;
  }
  const primary = Math.min(100, routes.primary + stepWeightPromotion);
  const canaryWeight = Math.max(0, routes.canary - stepWeightPromotion);
  router.set({ primary, canary: canaryWeight, isMirrored: false });
  await announce(context, canary, { message: `Advance ${canaryLabel(canary)} primary weight ${primary}` });
  if (primary === 100) {
    setPhase(context, canary, "Finalising");
  } else {
    setCount(context, canary, { canaryWeight });
  }
}

async function advanceCanary(run: Run): Promise<void> {
  const { context, canary, analysis, router, routes } = run;
  if (nextStepOf(analysis, routes.canary) <= 0) {
    return;
  }
  const isAsked = !routes.isMirrored && canary.status.phase !== "WaitingPromotion";
  if (isAsked && !(await mayIncreaseTraffic(context, canary))) {
    return;
  }
  if (routes.canary < maxWeightOf(analysis)) {
    const next = advanceRoutes(analysis, routes);
    router.set(next);
    setCount(context, canary, { canaryWeight: next.canary });
    await announce(context, canary, { message: `Advance ${canaryLabel(canary)} canary weight ${next.canary}` });
  } else if (await mayPromote(context, canary)) {
    await promote(run);
  }
}

async function advanceAbTest(run: Run): Promise<void> {
  const { context, canary, analysis, router } = run;
  const { iterations = 0 } = analysis;
  if (iterations > canary.status.iterations) {
    router.set(ALL_TO_CANARY);
    await advanceIteration(run);
  } else if ((await mayPromote(context, canary)) && iterations === canary.status.iterations) {
    await promote(run);
  }
}

async function advanceBlueGreen(run: Run): Promise<void> {
  const { context, canary, analysis, provider, router, routes } = run;
  const { iterations = 0, mirror = false } = analysis;
  const done = canary.status.iterations;
  if (iterations > done) {
    if (provider !== "kubernetes" && mirror && !routes.isMirrored) {
      router.set({ ...ALL_TO_PRIMARY, isMirrored: true });
    }
    await advanceIteration(run);
    return;
  }
  if (!(await mayPromote(context, canary))) {
    return;
  }
  if (iterations < done) {
    await promote(run);
    return;
  }
  if (provider !== "kubernetes") {
    const message = mirror ? "Stop traffic mirroring and route all traffic to canary" : "Routing all traffic to canary";
    await announce(context, canary, { message });
    router.set(ALL_TO_CANARY);
  }
  setCount(context, canary, { iterations: done + 1 });
}

async function advanceIteration({ context, canary, analysis }: Run): Promise<void> {
  const iterations = canary.status.iterations + 1;
  setCount(context, canary, { iterations });
  const message = `Advance ${canaryLabel(canary)} canary iteration ${iterations}/${analysis.iterations ?? 0}`;
  await announce(context, canary, { message });
}

async function promote({ context, canary }: Run): Promise<void> {
  await announceCopy(context, canary);
  promoteTarget(context, canary);
  setPhase(context, canary, "Promoting");
}

const TOTAL = 100;

/** Returns the weight at which a canary is promoted (pkg/controller/scheduler.go maxWeight of flagger 1.44.0). */
function maxWeightOf({ stepWeights = [], maxWeight = 0 }: Analysis): number {
  const last = stepWeights.at(-1);
  if (last !== undefined) {
    return Math.min(TOTAL, last);
  }
  return maxWeight > 0 ? maxWeight : TOTAL;
}

/** Returns how much weight the next step adds; zero if no steps are planned (nextStepWeight). */
function nextStepOf({ stepWeight = 0, stepWeights = [] }: Analysis, canaryWeight: number): number {
  const [first] = stepWeights;
  if (stepWeight > 0 || first === undefined) {
    return stepWeight;
  }
  const room = TOTAL - canaryWeight;
  if (room === 0) {
    return 1;
  }
  if (canaryWeight === 0) {
    return Math.min(room, first);
  }
  const next = stepWeights.find((_, index) => index > 0 && stepWeights[index - 1] === canaryWeight);
  return next === undefined ? room : Math.min(room, next - canaryWeight);
}

/** Returns the routes after the next step of a canary; with mirroring, the first step only mirrors (runCanary). */
function advanceRoutes(analysis: Analysis, routes: Routes): Routes {
  const step = nextStepOf(analysis, routes.canary);
  if (analysis.mirror === true && routes.canary === 0) {
    return routes.isMirrored
      ? { primary: TOTAL - step, canary: step, isMirrored: false }
      : { primary: TOTAL, canary: 0, isMirrored: true };
  }
  const primary = Math.max(0, routes.primary - step);
  return { primary, canary: Math.min(TOTAL, routes.canary + step), isMirrored: routes.isMirrored };
}
