import { isNotReady } from "#lib/domain/flagger/view/primary-readiness.ts";
import { isWithoutPods } from "./assess-severity.ts";
import type { CanaryFacts } from "./canary-facts.ts";
import { type CanaryState, findActiveState, isPromotionFailure } from "./find-state.ts";

/** Says in a plain sentence what a Canary is doing, without the controller's own message, which can be false. */
export function describeState(facts: CanaryFacts, state: CanaryState): string {
  const { primary, failedChecks, threshold, phase } = facts;
  const checks = failedChecks === 0 ? "" : ` ${failedChecks} of ${threshold} checks failed.`;
  switch (state) {
    case "initializing":
      return "Flagger is creating the primary.";
    case "idle":
      return "Ready for a first release.";
    case "awaiting-start":
      return "A new version waits for approval to start.";
    case "analyzing":
      return `The new version is being analysed${onCanary(facts)}.${checks}`;
    case "awaiting-step":
      return `Waits for approval to raise the weight${onCanary(facts)}.${checks}`;
    case "awaiting-promotion":
      return `Waits for approval of the promotion${onCanary(facts)}.${checks}`;
    case "promoting":
      return isNotReady(primary)
        ? `The primary is taking the new version: ${primary.why}.`
        : "The primary is taking the new version.";
    case "promotion-at-risk":
      return `The primary is not ready while it takes the new version: ${primary.why}.`;
    case "promotion-stuck":
      return `The promotion is stuck: ${primary.why}. This version of Flagger waits for ever.`;
    case "promotion-failed-canary-serving":
      return describeServing(facts);
    case "promotion-failed-outage":
      return describeOutage(facts);
    case "finalising":
      return "All traffic is on the primary; the canary is about to be scaled to zero.";
    case "succeeded":
      return "The last release was promoted.";
    case "failed-rolled-back":
      return describeRolledBack(facts);
    case "failed-revision-not-picked-up":
      return "Flagger noted a new version without analysing it, and will not try again by itself.";
    case "failed-reverted":
      return "The last release failed; the target is back at the promoted version.";
    case "suspended":
      return `Suspended: no checks and no automatic rollback. ${describeState(facts, findActiveState(facts))}`;
    case "terminating":
      return phase === "Terminated" ? "The canary was deleted." : "The canary is being deleted.";
    case "unknown":
      return `Unknown phase "${phase}".`;
  }
}

function onCanary({ traffic }: CanaryFacts): string {
  return traffic.percent === null ? "" : ` with ${traffic.percent} % of the traffic on the canary`;
}

function describeServing({ primary, strategy }: CanaryFacts): string {
  const serving =
    strategy === "ABTesting" ? "the canary still serves the requests that match" : "the canary serves all traffic";
  const state =
    primary.kind === "ready" || primary.kind === "unchecked"
      ? "The primary is ready again"
      : `The primary: ${primary.why}`;
  return `The promotion failed, and ${serving}; it was not scaled to zero. ${state}.`;
}

function describeOutage(facts: CanaryFacts): string {
  const { primary, strategy, canMoveAllTraffic, traffic } = facts;
  const isLeft = strategy === "ABTesting" && (traffic.statusPercent ?? 0) > 0;
  const who = isLeft ? "all requests that do not match are" : "all traffic is";
  const pods = isWithoutPods(facts) ? "which has no pods that serve" : `and of it ${primary.why}`;
  const canary = canMoveAllTraffic ? " The canary is gone." : "";
  return `The promotion failed: ${who} on the failed primary, ${pods}.${canary}`;
}

function describeRolledBack(facts: CanaryFacts): string {
  const { history, primary, threshold } = facts;
  const { peakFailedChecks } = history;
  if (isPromotionFailure(facts)) return "The promotion failed; all traffic is on the primary, which is ready again.";
  const checks = peakFailedChecks === undefined ? "" : ` after ${peakFailedChecks} of ${threshold} failed checks`;
  const trouble = isNotReady(primary) ? ` The primary is not ready: ${primary.why}.` : "";
  return `The release failed${checks}; all traffic is on the primary.${trouble}`;
}
