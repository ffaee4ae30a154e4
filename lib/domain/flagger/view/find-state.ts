import { isKnownPhase } from "#lib/domain/flagger/objects/canary-object.ts";
import { isNotReady, isUsable, type Readiness } from "#lib/domain/flagger/view/primary-readiness.ts";
import type { CanaryFacts } from "./canary-facts.ts";

/** The state of a Canary, for a person. Flagger's phase alone does not determine it. */
export type CanaryState =
  | "initializing"
  | "idle"
  | "awaiting-start"
  | "analyzing"
  | "awaiting-step"
  | "awaiting-promotion"
  | "promoting"
  /** The primary is not ready, and a deadline runs. */
  | "promotion-at-risk"
  /** The primary failed, and this version of Flagger waits for ever. */
  | "promotion-stuck"
  | "promotion-failed-canary-serving"
  /** Users are on a primary that failed while it took the new version. */
  | "promotion-failed-outage"
  | "finalising"
  | "succeeded"
  | "failed-rolled-back"
  /** Flagger noted a new revision without analysing it, and does not try again. */
  | "failed-revision-not-picked-up"
  /** The target is back at the promoted version. */
  | "failed-reverted"
  | "suspended"
  | "terminating"
  /** A phase that Gatehouse does not recognise. */
  | "unknown";

/** Intervals after which Flagger would have begun a run if it had noticed the revision. */
const intervalsToNotice = 2;

export function findState(facts: CanaryFacts): CanaryState {
  const { canary } = facts;
  if (!isKnownPhase(facts.phase)) return "unknown";
  const state = findActiveState(facts);
  return canary.spec.suspend && facts.knowsSuspend && state !== "terminating" ? "suspended" : state;
}

/** Returns the state as if the Canary were not suspended. */
export function findActiveState(facts: CanaryFacts): CanaryState {
  if (facts.canary.metadata.deletionTimestamp !== undefined) return "terminating";
  switch (facts.phase) {
    case "":
    case "Initializing":
      return "initializing";
    case "Initialized":
      return "idle";
    case "Waiting":
      return "awaiting-start";
    case "Progressing":
      return facts.history.stepGateWait === undefined || facts.strategy !== "Canary" ? "analyzing" : "awaiting-step";
    case "WaitingPromotion":
      return "awaiting-promotion";
    case "Promoting":
      return findPromotion(facts) ?? "promoting";
    case "Finalising":
      return findPromotion(facts) ?? "finalising";
    case "Succeeded":
      return "succeeded";
    case "Failed":
      return findFailure(facts);
    case "Terminating":
    case "Terminated":
      return "terminating";
    default:
      return "unknown";
  }
}

function findPromotion({ primary, mode, skipsAnalysis }: CanaryFacts): CanaryState | undefined {
  if (primary.kind === "failed") return mode === "stuck" && !skipsAnalysis ? "promotion-stuck" : "promotion-at-risk";
  return primary.kind === "at-risk" ? "promotion-at-risk" : undefined;
}

function findFailure(facts: CanaryFacts): CanaryState {
  const { canary, history, primary } = facts;
  const { canaryWeight = 0, lastAppliedSpec, lastPromotedSpec } = canary.status;
  if (canaryWeight > 0 && facts.canMoveAllTraffic) return "promotion-failed-canary-serving";
  if (isPromotionFailure(facts) && isStillFailing(primary)) return "promotion-failed-outage";
  if (canaryWeight > 0)
    return facts.strategy === "ABTesting" ? "promotion-failed-canary-serving" : "failed-rolled-back";
  const { previousAppliedSpec, intervalsSinceChange = 0 } = history;
  // A run for changed configs alone has the promoted hash from its beginning.
  if (lastAppliedSpec !== "" && lastAppliedSpec === lastPromotedSpec && previousAppliedSpec !== lastPromotedSpec)
    return "failed-reverted";
  const isOther = previousAppliedSpec !== undefined && previousAppliedSpec !== lastAppliedSpec;
  return isOther && intervalsSinceChange >= intervalsToNotice ? "failed-revision-not-picked-up" : "failed-rolled-back";
}

/** A primary that is being repaired or scaled while its pods serve is no outage. An unknown primary may be. */
function isStillFailing({ kind, available }: Readiness): boolean {
  return kind === "updating" ? available === 0 : !isUsable({ kind });
}

/**
 * Returns whether Failed came from a promotion. Without a history, a primary that is not ready with the target's images
 * is evidence.
 */
export function isPromotionFailure({ canary, history, primary, hasSameImages }: CanaryFacts): boolean {
  if ((canary.status.canaryWeight ?? 0) > 0) return true;
  const { previousPhase } = history;
  if (previousPhase !== undefined) return previousPhase === "Promoting" || previousPhase === "Finalising";
  return isNotReady(primary) && hasSameImages === true;
}
