import type { CanaryHistory } from "#lib/domain/flagger/history/run-memory.ts";
import { type CanaryObject, isKnownPhase } from "#lib/domain/flagger/objects/canary-object.ts";
import { hasNoRouter, iterationsOf, routerOf, strategyOf } from "#lib/domain/flagger/objects/canary-spec.ts";

/** `phase`: derived from the phase and Flagger's code, regardless of the weight in the status. */
export type TrafficSource = "route" | "sample" | "phase" | "status" | "stored";

export type Traffic = {
  /** Percent of users on the canary; null if it is not known, or if it depends on the request. */
  percent: number | null;
  /** Null if no source has it. */
  source: TrafficSource | null;
  /** The percentage in the status; null if missing. */
  statusPercent: number | null;
  /** Why the status is wrong or not enough, in a sentence; null if it agrees. */
  disagreement: string | null;
};

/**
 * Finds how much traffic is on the canary: by the route object, the metric, the phase or the status if Flagger keeps it
 * right in that phase, else by the last known weight of the run. `status.canaryWeight` alone is wrong in some phases
 * (setStatusPhase in pkg/canary/status.go of fluxcd/flagger 1.44.0).
 */
export function findTraffic({
  canary,
  meshProvider,
  history = {},
}: {
  canary: Pick<CanaryObject, "spec" | "status">;
  /** The controller's default router. */
  meshProvider?: string | undefined;
  history?: CanaryHistory | undefined;
}): Traffic {
  const statusPercent = canary.status.canaryWeight ?? null;
  const { percent, source, why } = findWeight(canary, meshProvider, history);
  const isOther = statusPercent !== null && percent !== statusPercent;
  const [other, rule] =
    source === "route"
      ? ["the route sends", "The route is what counts"]
      : ["its metric shows", "Gatehouse goes by the metric"];
  const words = isClearedBeforePromotion(canary)
    ? `Flagger reports 0 % whenever it waits for the promotion; ${other} ${percent} %.`
    : `Flagger reports ${statusPercent} %, but ${other} ${percent} %. ${rule}: ${percent} % of live traffic is on the new version.`;
  return {
    percent,
    source,
    statusPercent,
    disagreement: isOther ? (why ?? words) : explainUnknownRouter(canary, meshProvider),
  };
}

type Found = { percent: number | null; source: TrafficSource | null; why?: string };

function findWeight(
  canary: Pick<CanaryObject, "spec" | "status">,
  meshProvider: string | undefined,
  history: CanaryHistory,
): Found {
  const beyondWeights = findBeyondWeights(canary, meshProvider);
  if (beyondWeights !== undefined) return beyondWeights;
  if (history.routeWeight !== undefined) return { percent: history.routeWeight, source: "route" };
  if (history.sampledWeight !== undefined) return { percent: history.sampledWeight, source: "sample" };
  const byPhase = findInherited(canary, history) ?? findByPhase(canary, meshProvider);
  if (byPhase !== undefined) return byPhase;
  const { phase, canaryWeight } = canary.status;
  if (canaryWeight !== undefined && isStatusRight(canary)) return { percent: canaryWeight, source: "status" };
  const said = canaryWeight === undefined ? "no weight" : `${canaryWeight} %`;
  const why = `Flagger reports ${said} in phase ${phase}, but the weight of the last step stays in force.`;
  return history.lastKnownWeight === undefined
    ? { percent: null, source: null, why: `${why} It is not known here.` }
    : { percent: history.lastKnownWeight, source: "stored", why: `${why} It was ${history.lastKnownWeight} %.` };
}

const phasesWithCanary: readonly string[] = ["Progressing", "WaitingPromotion", "Promoting"];

/** Returns an answer that no weight can change: nothing runs yet, nothing is routed, or the request decides. */
function findBeyondWeights(
  canary: Pick<CanaryObject, "spec" | "status">,
  meshProvider: string | undefined,
): Found | undefined {
  const { phase, canaryWeight = 0 } = canary.status;
  if (phase === "") return { percent: null, source: null };
  if (!isKnownPhase(phase) || isTerminating(canary)) return undefined;
  if (hasNoRouter(canary, meshProvider))
    return {
      percent: 0,
      source: "phase",
      why: `Flagger reports ${canaryWeight} %, but no traffic is shifted with provider kubernetes: users are on the primary.`,
    };
  return strategyOf(canary, meshProvider) === "ABTesting" ? findOfMatch(canary) : undefined;
}

/** Returns the traffic that follows from phase and strategy; undefined if the status or a record decides. */
function findByPhase(
  canary: Pick<CanaryObject, "spec" | "status">,
  meshProvider: string | undefined,
): Found | undefined {
  const { phase, canaryWeight = 0, iterations = 0 } = canary.status;
  if (isTerminating(canary))
    return { percent: null, source: null, why: "Flagger hands the traffic back to the target while it is deleted." };
  if (strategyOf(canary, meshProvider) !== "BlueGreen") return undefined;
  const why = "Flagger reports 0 %, but all traffic was switched to the canary.";
  const isSwitched = phase === "Progressing" && iterations > iterationsOf(canary, meshProvider);
  if (isSwitched || (phase === "Promoting" && canaryWeight === 0)) return { percent: 100, source: "phase", why };
  return phase === "Progressing" ? { percent: 0, source: "phase" } : undefined;
}

function isTerminating({ status }: Pick<CanaryObject, "status">): boolean {
  return status.phase === "Terminating" || status.phase === "Terminated";
}

/** A run that began after a failed promotion keeps the traffic where it was, until Flagger sets another weight. */
function findInherited({ status }: Pick<CanaryObject, "status">, history: CanaryHistory): Found | undefined {
  const { weightBeforeRun = 0, lastKnownWeight } = history;
  if (weightBeforeRun <= 0 || !phasesWithCanary.includes(status.phase) || (status.canaryWeight ?? 0) > 0)
    return undefined;
  const percent = lastKnownWeight !== undefined && lastKnownWeight > 0 ? lastKnownWeight : weightBeforeRun;
  const why = `Flagger reports 0 %, but the run began with ${weightBeforeRun} % on the canary, after a failed promotion.`;
  return { percent, source: "stored", why };
}

/** Only requests that match go to the canary, so that no percentage is right while it runs. */
function findOfMatch({ status }: Pick<CanaryObject, "status">): Found | undefined {
  const { phase, iterations = 0, canaryWeight = 0 } = status;
  const isMatched = phasesWithCanary.includes(phase)
    ? phase !== "Progressing" || iterations > 0
    : (phase === "Failed" || phase === "Waiting") && canaryWeight > 0;
  return isMatched
    ? {
        percent: null,
        source: "phase",
        why: `Flagger reports ${canaryWeight} %: every request that matches goes to the canary, every other one to the primary.`,
      }
    : undefined;
}

/** Returns whether the status has the 0 that Flagger writes there in each WaitingPromotion, whatever the route sends. */
function isClearedBeforePromotion({ status }: Pick<CanaryObject, "status">): boolean {
  return status.phase === "WaitingPromotion" && status.canaryWeight === 0;
}

/** Returns whether the status's weight is the one in force. In Promoting 0 never is: Flagger may have cleared it. */
function isStatusRight({ status }: Pick<CanaryObject, "status">): boolean {
  if (status.phase === "WaitingPromotion") return false;
  return status.phase !== "Promoting" || (status.canaryWeight ?? 0) > 0;
}

/** Returns a warning if the weight after a failed promotion may be wrong because the router is unknown. */
function explainUnknownRouter(
  canary: Pick<CanaryObject, "spec" | "status">,
  meshProvider: string | undefined,
): string | null {
  const isInDoubt = canary.status.phase === "Failed" && (canary.status.canaryWeight ?? 0) > 0;
  return isInDoubt && routerOf(canary, meshProvider) === ""
    ? "The controller's default provider is not known here: with provider kubernetes this weight is not true."
    : null;
}
