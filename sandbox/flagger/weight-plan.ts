import type { Analysis } from "./canary-types.ts";
import type { Routes } from "./routes.ts";

const TOTAL = 100;

/** Returns the weight at which a canary is promoted (pkg/controller/scheduler.go maxWeight of flagger 1.44.0). */
export function maxWeightOf({ stepWeights = [], maxWeight = 0 }: Analysis): number {
  const last = stepWeights.at(-1);
  if (last !== undefined) {
    return Math.min(TOTAL, last);
  }
  return maxWeight > 0 ? maxWeight : TOTAL;
}

/** Returns how much weight the next step adds; zero if no steps are planned (nextStepWeight). */
export function nextStepOf({ stepWeight = 0, stepWeights = [] }: Analysis, canaryWeight: number): number {
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
export function advanceRoutes(analysis: Analysis, routes: Routes): Routes {
  const step = nextStepOf(analysis, routes.canary);
  if (analysis.mirror === true && routes.canary === 0) {
    return routes.isMirrored
      ? { primary: TOTAL - step, canary: step, isMirrored: false }
      : { primary: TOTAL, canary: 0, isMirrored: true };
  }
  const primary = Math.max(0, routes.primary - step);
  return { primary, canary: Math.min(TOTAL, routes.canary + step), isMirrored: routes.isMirrored };
}
