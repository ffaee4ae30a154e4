import { primaryNameOf } from "#lib/domain/flagger/objects/canary-spec.ts";
import { isNotReady, isUsable, nameDeadline, type Readiness } from "#lib/domain/flagger/view/primary-readiness.ts";
import { isDestructive, isWithoutPods } from "./assess-severity.ts";
import type { CanaryFacts } from "./canary-facts.ts";
import { type CanaryState, findActiveState, isPromotionFailure } from "./find-state.ts";

/** Describes the state of a Canary in plain sentences, without the controller's own message, which can be false. */
export function describeState(facts: CanaryFacts, state: CanaryState): string {
  switch (state) {
    case "initializing":
      return "Flagger is creating the primary.";
    case "idle":
      return "Ready for a first release.";
    case "awaiting-start":
      return "A new version waits for approval to start.";
    case "analyzing":
      return `The new version is being analysed${onCanary(facts)}.${countChecks(facts)}`;
    case "awaiting-step":
      return `Waiting for approval to raise the weight.${servedByCanary(facts)}${countChecks(facts)}`;
    case "awaiting-promotion":
      return `Waiting for approval to promote.${servedByCanary(facts)}${countChecks(facts)}`;
    case "promoting":
      return `The primary is taking the new version${isNotReady(facts.primary) ? `: ${facts.primary.why}` : ""}.`;
    case "promotion-at-risk":
      return `The primary is not ready while it takes the new version: ${facts.primary.why}.`;
    case "promotion-stuck":
      return `The primary failed while it took the new version: ${facts.primary.why}. This version of Flagger waits for ever.`;
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
      return describeSuspended(facts);
    case "terminating":
      return facts.phase === "Terminated" ? "The canary was deleted." : "The canary is being deleted.";
    case "unknown":
      return `Flagger is in a phase that Gatehouse does not know: ${facts.phase}.`;
  }
}

function describeSuspended(facts: CanaryFacts): string {
  const active = findActiveState(facts);
  const idle = "Suspended: new versions are not picked up.";
  switch (active) {
    case "analyzing":
    case "awaiting-step":
    case "awaiting-promotion":
      return `Suspended during the analysis${onCanary(facts)}: no checks, no gates and no automatic rollback.${countChecks(facts)}`;
    case "awaiting-start":
      return "Suspended before a new version could start.";
    case "idle":
    case "succeeded":
      return idle;
    case "initializing":
      return "Suspended before the primary was created.";
    case "promoting":
    case "finalising":
    case "promotion-at-risk":
    case "promotion-stuck":
      return `Suspended during the promotion${onCanary(facts)}. ${describePrimary(facts.primary)}`;
    default:
      return `${idle} ${describeState(facts, active)}`;
  }
}

function onCanary({ traffic }: CanaryFacts): string {
  if (traffic.percent === null) return "";
  return traffic.percent === 0
    ? ", with no traffic on the canary"
    : `, with ${traffic.percent} % of the traffic on the canary`;
}

function servedByCanary({ traffic: { percent } }: CanaryFacts): string {
  if (percent === null) return "";
  return percent === 0 ? " The canary has no traffic." : ` The canary has ${percent} % of traffic.`;
}

function countChecks({ failedChecks, threshold }: CanaryFacts): string {
  return failedChecks === 0 ? "" : ` ${failedChecks} of ${threshold} checks failed.`;
}

function describePrimary(primary: Readiness): string {
  if (isUsable(primary)) return "The primary is ready.";
  return isNotReady(primary) ? `The primary is not ready: ${primary.why}.` : "The state of the primary is not known.";
}

function describeServing({ primary, strategy }: CanaryFacts): string {
  const serving =
    strategy === "ABTesting" ? "the canary still serves the requests that match" : "the canary serves all traffic";
  return `The promotion failed, and ${serving}: it was not scaled to zero. ${describePrimary(primary)}`;
}

function describeOutage(facts: CanaryFacts): string {
  const { primary, strategy, traffic, targetDesired } = facts;
  const isShared = strategy === "ABTesting" && (traffic.statusPercent ?? 0) > 0;
  const who = isShared ? "all requests that do not match are" : "all traffic is";
  const pods = isWithoutPods(facts) ? "The primary has no pods that serve." : describePrimary(primary);
  const canary = targetDesired === 0 ? " The canary has no pods either." : "";
  return `The promotion failed, and ${who} on the failed primary. ${pods}${canary}`;
}

function describeRolledBack(facts: CanaryFacts): string {
  const { peakFailedChecks } = facts.history;
  if (isPromotionFailure(facts))
    return `The promotion failed; all traffic is on the primary. ${describePrimary(facts.primary)}`;
  const checks = peakFailedChecks === undefined ? "" : ` after ${peakFailedChecks} of ${facts.threshold} failed checks`;
  const trouble = isNotReady(facts.primary) ? ` ${describePrimary(facts.primary)}` : "";
  return `The release failed${checks}; all traffic is on the primary.${trouble}`;
}

/** Lists the next steps for a person, most urgent first; empty if nothing is urgent. */
export function adviseOn(facts: CanaryFacts, state: CanaryState): string[] {
  const isSuspended = state === "suspended";
  switch (isSuspended ? findActiveState(facts) : state) {
    case "promotion-at-risk":
      return isSuspended ? adviseHeldAtRisk(facts) : adviseAtRisk(facts);
    case "promotion-stuck":
      return ["Repair the primary: Flagger then continues by itself."];
    case "promotion-failed-canary-serving":
      return adviseServing(facts, isSuspended);
    case "promotion-failed-outage":
      return [...adviseUndo(facts), "Then repair the new version, unsuspend if needed, and retrigger."];
    case "failed-revision-not-picked-up":
      return isUsable(facts.primary)
        ? ["Retrigger: Flagger then analyses the version."]
        : ["Repair the primary, then retrigger."];
    default:
      return [];
  }
}

function adviseAtRisk(facts: CanaryFacts): string[] {
  const when = facts.skipsAnalysis ? "at its next check" : nameDeadline(facts.primary);
  const isServing = facts.primary.kind === "at-risk" && !isWithoutPods(facts);
  if (isDestructive(facts))
    return [
      `${isServing ? "Suspend in time" : "Suspend now"}: ${when} Flagger sends all traffic to the primary that is not ready, and removes the canary.`,
      "Then repair the primary, and unsuspend when it is ready.",
    ];
  if (facts.mode === "stuck") return ["Repair the primary: this version of Flagger neither rolls back nor continues."];
  if (!facts.canMoveAllTraffic)
    return [
      `Flagger cannot move users away from the primary: ${when} it only fails the release.`,
      "Suspend, and repair the primary.",
    ];
  const wait = isServing ? "Wait: if the primary is not ready by then," : "Do not suspend yet:";
  return [
    `${wait} ${when} Flagger moves all traffic to the canary, which keeps serving.`,
    "Suspend after that, then repair the primary.",
  ];
}

function adviseHeldAtRisk(facts: CanaryFacts): string[] {
  if (isDestructive(facts))
    return [
      "Keep it suspended until the primary is ready with the new version.",
      "A rollout undo makes it ready too, but Flagger then reports the new version as promoted.",
    ];
  return facts.mode === "canary-serves" && facts.canMoveAllTraffic
    ? ["Repair the primary, or unsuspend: Flagger then moves all traffic to the canary at its deadline."]
    : ["Repair the primary, then unsuspend."];
}

function adviseServing(facts: CanaryFacts, isSuspended: boolean): string[] {
  if (isUsable(facts.primary))
    return [`Flagger does not resume by itself: ${isSuspended ? "unsuspend, then " : ""}retrigger to promote again.`];
  const suspend = isSuspended ? [] : ["Suspend first: a new version now would take the canary away from the users."];
  return [...suspend, "Repair the primary. When it is ready, unsuspend and retrigger."];
}

/** The Deployment keeps its former pod templates. Copies of ConfigMaps and Secrets were overwritten. */
function adviseUndo({ canary }: CanaryFacts): string[] {
  const { kind } = canary.spec.targetRef;
  if (kind !== "Deployment" && kind !== "DaemonSet") return ["Bring the old version back on the primary."];
  const address = `${kind.toLowerCase()}/${primaryNameOf(canary)} -n ${canary.metadata.namespace ?? "default"}`;
  return [
    `Bring the old version back on the primary: kubectl rollout undo ${address}`,
    "That restores the pod template, but not the -primary ConfigMaps and Secrets. Flagger does not touch it until the next run.",
  ];
}
