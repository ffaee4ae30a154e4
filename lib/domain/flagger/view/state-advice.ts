import { primaryNameOf } from "#lib/domain/flagger/objects/canary-spec.ts";
import { isUsable, nameDeadline } from "#lib/domain/flagger/view/primary-readiness.ts";
import { isDestructive, isWithoutPods } from "./assess-severity.ts";
import type { CanaryFacts } from "./canary-facts.ts";
import { type CanaryState, findActiveState } from "./find-state.ts";

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
