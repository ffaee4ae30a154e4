import { isNotReady, nameDeadline } from "#lib/domain/flagger/view/primary-readiness.ts";
import { type ActionJudgement, allow, block, type FlaggerAction } from "./action-judgement.ts";
import { isDestructive, isWithoutPods } from "./assess-severity.ts";
import type { CanaryFacts } from "./canary-facts.ts";
import { type CanaryState, findActiveState } from "./find-state.ts";
import { isBroken, judgeApprove, judgeHold, judgeRollback } from "./judge-gates.ts";

/** A change that Gatehouse never makes, but that a page warns of. */
export type Hazard = { change: "delete-canary" | "edit-service-spec"; reason: string };

/** Judges each action in the current state: in doubt it is not safe. */
export function judgeActions(facts: CanaryFacts, state: CanaryState): Record<FlaggerAction, ActionJudgement> {
  const blocked = findBlockOfAll(facts, state);
  const { phase } = facts;
  return {
    approve: blocked ?? judgeApprove(facts, state),
    hold: blocked ?? judgeHold(facts, state),
    rollback: blocked ?? judgeRollback(facts, state),
    suspend:
      phase === "" && blocked === undefined && state === "initializing"
        ? block("not-started", "Flagger has not seen this canary yet. Wait for its first status.")
        : (blocked ?? judgeSuspend(facts, state)),
    unsuspend: blocked ?? judgeUnsuspend(facts),
    "skip-analysis": blocked ?? judgeSkipAnalysis(facts, state),
    retrigger: blocked ?? judgeRetrigger(facts, state),
  };
}

function findBlockOfAll(facts: CanaryFacts, state: CanaryState): ActionJudgement | undefined {
  if (state === "unknown")
    return block(
      "unknown-phase",
      `Gatehouse does not know the phase "${facts.phase}", which Flagger 1.44 does not have. Act with the tools that belong to this Flagger.`,
    );
  return state === "terminating" ? block("terminating", "The canary is being deleted.") : undefined;
}

/** States in which an edit of the service would move traffic. */
const runningPhases: readonly string[] = ["Progressing", "WaitingPromotion", "Promoting", "Finalising"];

/** Lists the changes that must not be made to the object by other means now. */
export function listHazards(facts: CanaryFacts, state: CanaryState): Hazard[] {
  if (state === "terminating") return [];
  const removes: Hazard = {
    change: "delete-canary",
    reason:
      "Do not delete the Canary: the primary and its Services would be deleted with it, while the target may have no pods.",
  };
  const mayHaveTraffic = runningPhases.includes(facts.phase) || (facts.traffic.statusPercent ?? 0) > 0;
  const resets: Hazard = {
    change: "edit-service-spec",
    reason:
      "Do not edit spec.service or analysis.match now: with some routers the route is rewritten, and all traffic moves to the primary.",
  };
  return mayHaveTraffic ? [removes, resets] : [removes];
}

const runningStates: readonly CanaryState[] = ["analyzing", "awaiting-step", "awaiting-promotion"];

function judgeSuspend(facts: CanaryFacts, state: CanaryState): ActionJudgement {
  if (facts.canary.spec.suspend && facts.knowsSuspend) return block("suspended", "The canary is suspended already.");
  if (!facts.knowsSuspend)
    return block(
      "no-suspend",
      "This version of Flagger ignores suspend; it exists since 1.32. Keep a gate closed instead.",
    );
  if (state === "promotion-at-risk" && isRescueComing(facts))
    return block(
      "stops-rescue",
      `Flagger moves all traffic to the canary ${nameDeadline(facts.primary)}. Suspended now, users would stay on a primary that is not ready. Suspend after that.`,
    );
  const { percent } = facts.traffic;
  const isActive = runningStates.includes(state) || facts.phase === "Promoting" || facts.phase === "Finalising";
  const share = percent === null ? "users may be on the canary" : `${percent} % of the traffic is on the canary`;
  return allow(
    runningStates.includes(state) && `Checks and the automatic rollback stop too, while ${share}.`,
    state === "promotion-at-risk" &&
      isDestructive(facts) &&
      "This stops Flagger's move to the primary that is not ready.",
    state === "promotion-at-risk" &&
      !isDestructive(facts) &&
      facts.mode === "canary-serves" &&
      facts.canMoveAllTraffic &&
      "This also stops Flagger from moving all traffic to the canary at the deadline.",
    (state === "promoting" || state === "finalising") && "The promotion stops halfway until it is unsuspended.",
    !isActive && "New versions are not picked up until it is unsuspended.",
    "A GitOps controller may undo it.",
  );
}

function judgeUnsuspend(facts: CanaryFacts): ActionJudgement {
  if (!facts.canary.spec.suspend) return block("not-suspended", "The canary is not suspended.");
  const active = findActiveState(facts);
  const why = `the primary is not ready (${facts.primary.why})`;
  const isAtStake =
    active === "promotion-at-risk"
      ? isDestructive(facts)
      : isBroken(facts) && (runningStates.includes(active) || active === "awaiting-start");
  if (isAtStake)
    return block(
      "primary-not-ready",
      `If Flagger continues while ${why}, it sends all traffic there and removes the canary. Repair the primary first.`,
    );
  const hasFailed = active === "promotion-failed-canary-serving" || active === "promotion-failed-outage";
  if (hasFailed && isNotReady(facts.primary))
    return block(
      "primary-not-ready",
      `If a new version arrives while ${why}, Flagger sends all traffic to it. Repair the primary first.`,
    );
  return allow(
    "Flagger continues at its next check, from the step where it stopped.",
    active === "promotion-at-risk" && "Flagger's deadline may have passed: it acts at its first check.",
    (hasFailed || active.startsWith("promotion-")) &&
      facts.primary.kind === "unknown" &&
      "The state of the primary is not known.",
    facts.skipsAnalysis && "skipAnalysis is on: the waiting version is promoted without any check.",
    facts.failedChecks >= facts.threshold &&
      runningStates.includes(active) &&
      "Enough checks failed: Flagger rolls back at its first check.",
  );
}

function judgeSkipAnalysis(facts: CanaryFacts, state: CanaryState): ActionJudgement {
  if (facts.skipsAnalysis)
    return block("skips-analysis", "skipAnalysis is on already, and stays on for later releases.");
  const unfit = findSkipBlock(facts, state);
  if (unfit !== undefined) return unfit;
  const { canaryWeight = 0, iterations = 0 } = facts.canary.status;
  if (facts.target.kind !== "ready" && facts.target.kind !== "unchecked")
    return block("canary-not-ready", "Only a canary that is ready can be promoted. Wait until its pods are ready.");
  if (facts.target.available === 0) return block("canary-not-ready", "The canary has no pods.");
  if (isBroken(facts))
    return block(
      "primary-not-ready",
      `The primary is not ready (${facts.primary.why}), and nothing would check it. Repair it first.`,
    );
  if (canaryWeight === 0 && iterations <= 0)
    return block("not-checked-yet", "No check of this version has passed yet. Wait for the first round.");
  if (facts.isNearRollback)
    return block(
      "rolls-back-next",
      `${facts.failedChecks} of ${facts.threshold} checks failed: this version is about to be rolled back, so do not promote it.`,
    );
  return allow(
    "Promotes at the next check without further checks, gates or the check that the primary is ready.",
    "skipAnalysis stays on for later releases until it is turned off.",
    "A GitOps controller may undo it.",
  );
}

function findSkipBlock(facts: CanaryFacts, state: CanaryState): ActionJudgement | undefined {
  switch (state) {
    case "analyzing":
    case "awaiting-step":
      return undefined;
    case "suspended":
      return block("suspended", "Flagger promotes nothing while the canary is suspended. Unsuspend it first.");
    case "awaiting-start":
      return block("not-asked", "skipAnalysis does not pass the start gate. Approve the start instead.");
    case "awaiting-promotion":
      return block("bypasses-gate", "It would bypass the promotion gate. Approve the promotion instead.");
    default:
      return facts.phase === "Promoting" || facts.phase === "Finalising" || state === "promotion-failed-canary-serving"
        ? block("primary-not-ready", "It would send all traffic to the primary without checking that it is ready.")
        : block("no-run", "There is no run to promote. It would only let the next release go out unchecked.");
  }
}

/** Judges a change of an annotation in the target's pod template: for Flagger it is a new revision. */
function judgeRetrigger(facts: CanaryFacts, state: CanaryState): ActionJudgement {
  const { kind } = facts.canary.spec.targetRef;
  if (state === "suspended")
    return block("suspended", "No run starts while the canary is suspended. Unsuspend it first.");
  if (kind !== "Deployment" && kind !== "DaemonSet")
    return block(
      "no-pod-template",
      `Gatehouse can retrigger Deployments and DaemonSets, not a ${kind || "target without a kind"}.`,
    );
  const isFailed = facts.phase === "Failed";
  if (!isFailed && state !== "idle" && state !== "succeeded")
    return block("run-in-progress", "A run is in progress or about to begin. A change now would restart it.");
  if (state === "failed-reverted")
    return block("nothing-to-retry", "The target is back at the promoted version. Deploy the version that you want.");
  if (facts.skipsAnalysis)
    return block("skips-analysis", "skipAnalysis is on: the new run would be promoted unchecked. Turn it off first.");
  if (facts.primary.kind === "unknown")
    return block("primary-unknown", "It is not known whether the primary is ready. A new run needs a primary that is.");
  if (isNotReady(facts.primary)) return blockUnreadyRetrigger(facts, state);
  return allow(
    state === "promotion-failed-canary-serving" &&
      "The run starts with all traffic on the canary, without the pre-rollout hooks, and one good round promotes it.",
    (state === "idle" || state === "succeeded") && "Analyses the version that runs already.",
    "The target's pods are replaced.",
  );
}

function blockUnreadyRetrigger(facts: CanaryFacts, state: CanaryState): ActionJudgement {
  const { why } = facts.primary;
  const isRisky = state === "promotion-failed-canary-serving";
  const result = isRisky
    ? "Flagger would send all traffic to it and remove the canary, or lose the revision"
    : "Flagger would fail the run at once, or lose the revision";
  return block("primary-not-ready", `The primary is not ready (${why}): ${result}. Repair the primary first.`);
}

/** Flagger moves all traffic to the canary, and users need that: it is due, or the primary has no pods. */
function isRescueComing(facts: CanaryFacts): boolean {
  const isRescue = facts.mode === "canary-serves" && facts.canMoveAllTraffic && !facts.skipsAnalysis;
  return isRescue && (facts.primary.kind === "failed" || isWithoutPods(facts));
}
