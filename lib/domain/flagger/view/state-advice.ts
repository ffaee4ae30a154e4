import { primaryNameOf } from "#lib/domain/flagger/objects/canary-spec.ts";
import { isDestructive } from "./assess-severity.ts";
import type { CanaryFacts } from "./canary-facts.ts";
import { type CanaryState, findActiveState, isPromotionFailure } from "./find-state.ts";
import { isNotReady } from "./primary-readiness.ts";

/** Says what a person should do next, most urgent first; empty if nothing is urgent. */
export function adviseOn(facts: CanaryFacts, state: CanaryState): string[] {
  const active = state === "suspended" ? findActiveState(facts) : state;
  switch (active) {
    case "promotion-at-risk":
      return adviseAtRisk(facts, state === "suspended");
    case "promotion-stuck":
      return ["Repair the primary: Flagger then goes on by itself."];
    case "promotion-failed-canary-serving":
      return adviseServing(facts, state === "suspended");
    case "promotion-failed-outage":
      return [...adviseUndo(facts), "Then repair the new version, unsuspend if needed, and retrigger."];
    case "failed-revision-not-picked-up":
      return facts.primary.kind === "ready"
        ? ["Retrigger: Flagger then analyses the version."]
        : ["Repair the primary, then retrigger."];
    default:
      return [];
  }
}

function adviseAtRisk(facts: CanaryFacts, isSuspended: boolean): string[] {
  const when = nameDeadline(facts);
  if (isSuspended)
    return isDestructive(facts) ? ["Keep it suspended until the primary is ready.", ...adviseUndo(facts)] : [];
  if (isDestructive(facts))
    return [
      `Suspend now: ${when} Flagger sends all traffic to the primary that is not ready, and removes the canary.`,
      "Then repair the primary and unsuspend.",
    ];
  if (facts.mode === "stuck") return ["Repair the primary: this version of Flagger neither rolls back nor goes on."];
  if (!facts.canMoveAllTraffic)
    return [
      `Flagger cannot move users away from the primary: it fails the release ${when}.`,
      "Suspend, and repair the primary.",
    ];
  return [
    `Do not suspend yet: ${when} Flagger moves all traffic to the canary, which keeps serving.`,
    "Suspend after that, then repair the primary.",
  ];
}

function adviseServing(facts: CanaryFacts, isSuspended: boolean): string[] {
  const suspend = isSuspended ? [] : ["Suspend first: a new version now would take the canary away from the users."];
  if (isNotReady(facts.primary) || facts.primary.kind === "unknown")
    return [...suspend, "Then repair the primary. When it is ready, unsuspend and retrigger."];
  return ["Flagger does not resume by itself: retrigger to promote again."];
}

/** The primary keeps its former pod templates. Copies of ConfigMaps and Secrets were overwritten. */
function adviseUndo({ canary }: CanaryFacts): string[] {
  const { kind } = canary.spec.targetRef;
  const namespace = canary.metadata.namespace ?? "default";
  const command = `kubectl rollout undo ${kind.toLowerCase()}/${primaryNameOf(canary)} -n ${namespace}`;
  return [
    `Bring the old version back on the primary: ${command}`,
    "That restores the pod template only, not the -primary ConfigMaps and Secrets. Flagger leaves it alone until the next run.",
  ];
}

/** Notes facts that explain the state or correct the controller's own words. */
export function noteFacts(facts: CanaryFacts, state: CanaryState): string[] {
  const { traffic, history, phase } = facts;
  const { lastAppliedSpec } = facts.canary.status;
  const isFailed = phase === "Failed";
  const isOther = history.previousAppliedSpec !== undefined && history.previousAppliedSpec !== lastAppliedSpec;
  const notes: (string | false)[] = [
    traffic.disagreement ?? false,
    noteSuspension(facts, state),
    facts.skipsAnalysis && "skipAnalysis is on: later releases go out unchecked.",
    isFailed &&
      (facts.targetReplicas ?? 0) > 0 &&
      "The condition says that the target was scaled to zero: its pods still run.",
    isFailed &&
      isPromotionFailure(facts) &&
      state === "failed-rolled-back" &&
      "The promotion failed before: check which version the primary runs.",
    isFailed &&
      isOther &&
      state !== "failed-reverted" &&
      state !== "failed-revision-not-picked-up" &&
      "Flagger has noted another version since it failed. If no run begins within two checks, retrigger.",
    (state === "analyzing" || state === "awaiting-step" || state === "awaiting-promotion") &&
      facts.failedChecks >= facts.threshold &&
      "Enough checks failed: Flagger rolls back at its next check.",
    (state === "analyzing" || state === "awaiting-step") &&
      facts.isNearRollback &&
      facts.failedChecks < facts.threshold &&
      "One more failed check, and Flagger rolls back. A passing check does not lower the count.",
  ];
  return notes.filter((note) => note !== false);
}

function noteSuspension(facts: CanaryFacts, state: CanaryState): string | false {
  if (facts.canary.spec.suspend && !facts.knowsSuspend)
    return "spec.suspend is set, but this version of Flagger ignores it.";
  if (state !== "suspended") return false;
  const { percent } = facts.traffic;
  if (percent !== null && percent > 0)
    return `Suspended: no checks and no automatic rollback while ${percent} % of the traffic is on the canary.`;
  const isIdle = facts.phase === "Initialized" || facts.phase === "Succeeded";
  return isIdle && (facts.targetReplicas ?? 0) > 0
    ? "The target has pods while the canary is suspended and idle: somebody scaled or changed it by hand."
    : false;
}

function nameDeadline({ primary }: CanaryFacts): string {
  if (primary.kind === "failed") return "at its next check";
  return primary.deadline === null ? "at its deadline" : `after ${primary.deadline}`;
}
