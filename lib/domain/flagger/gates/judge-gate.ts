import type { GateDecision, GateName } from "#lib/domain/delivery/gate-decision.ts";
import { analysingPhases, isKnownPhase } from "#lib/domain/flagger/objects/canary-object.ts";
import type { HookAnswer, HookReason } from "./hook-answer.ts";
import type { HookPayload } from "./hook-payload.ts";
import type { WatchedCanary } from "./watched-canary.ts";

/** The facts about a canary at the moment of a call. */
export type GateFacts = {
  gate: GateName;
  payload: HookPayload;
  /** Undefined if the cluster has no such canary, as far as Gatehouse knows. */
  canary: WatchedCanary | undefined;
  /** The view of the cluster is recent enough, and does not hold this canary's disappearance. */
  isViewFresh: boolean;
  /** The newest state of the canary could not be read. */
  isQuarantined: boolean;
  /** The config on disk is unusable: nothing may advance. */
  hasConfigError: boolean;
  /** The cluster's config lets calls without a checksum be matched by the live pod template. */
  allowsNoChecksum: boolean;
  /** Of the target's live pod template; undefined if it was not read. */
  templateHash: string | undefined;
  /** Of this canary's name, at all gates, newest first. */
  decisions: readonly GateDecision[];
};

/** Judges a call of a gate. The answer is 200 only if a decision in force grants it. */
export function judgeGate(facts: GateFacts): HookAnswer {
  const { gate } = facts;
  const obstacle = findObstacle(facts);
  if (obstacle !== undefined) return refuse(gate, obstacle);
  return gate === "rollback" ? judgeRollback(facts) : judgeConfirmation(facts);
}

/** Makes the refusal of a gate: at `rollback` it means that the run continues. */
export function refuse(gate: GateName, reason: HookReason, decisionId?: string): HookAnswer {
  return { httpStatus: 403, decision: gate === "rollback" ? "no_rollback" : "deny", reason, decisionId };
}

/** Finds a reason to refuse the call regardless of any decision. */
function findObstacle({
  gate,
  payload,
  canary,
  isViewFresh,
  isQuarantined,
  hasConfigError,
  allowsNoChecksum,
}: GateFacts): HookReason | undefined {
  if (hasConfigError && gate !== "rollback") return "config_error";
  if (isQuarantined) return "object_unreadable";
  if (canary === undefined) return "unknown_canary";
  if (!isViewFresh) return "cluster_view_stale";
  if (!isKnownPhase(payload.phase) || !isKnownPhase(canary.phase)) return "unknown_phase";
  if (payload.checksum === undefined && !allowsNoChecksum) return "no_checksum";
  if (payload.checksum !== undefined && payload.checksum !== canary.checksum) return "checksum_mismatch";
  if (gate !== "confirm-rollout" && !analysingPhases.includes(canary.phase)) return "run_not_in_progress";
  return undefined;
}

function judgeRollback(facts: GateFacts): HookAnswer {
  const newest = findNewest(facts, "rollback");
  if (newest !== undefined)
    return isInForce(newest) && newest.verdict === "rollback"
      ? { httpStatus: 200, decision: "rollback", reason: "abort_requested", decisionId: newest.id }
      : refuse("rollback", "no_abort_requested");
  const others = facts.decisions.filter(
    (decision) => decision.gate === "rollback" && decision.verdict === "rollback" && isInForce(decision),
  );
  return refuse("rollback", others.length > 0 ? "abort_is_for_another_run" : "no_abort_requested");
}

function judgeConfirmation(facts: GateFacts): HookAnswer {
  const { gate } = facts;
  const newest = findNewest(facts, gate);
  if (newest === undefined) return refuse(gate, explainMismatch(facts));
  const because = (reason: HookReason) => refuse(gate, reason, newest.id);
  if (newest.verdict === "hold" && isInForce(newest)) return because("rejected");
  if (newest.verdict !== "approve" || newest.isVoided) return because("not_approved");
  if (newest.isExpired) return because("approval_expired");
  const abort = findNewest(facts, "rollback");
  if (abort?.verdict === "rollback" && isInForce(abort)) return because("rollback_requested");
  if (newest.isFrozen) return because("frozen");
  if (gate === "confirm-traffic-increase" && !coversNextStep(newest, facts)) return because("step_not_approved");
  return { httpStatus: 200, decision: "allow", reason: "approved", decisionId: newest.id };
}

/**
 * Finds the newest decision on a gate that is bound to the run or template of the call. It alone counts, even if it is
 * over: an older approval does not return when a later decision expires.
 */
function findNewest(facts: GateFacts, gate: GateName): GateDecision | undefined {
  const { canary, decisions, templateHash, payload } = facts;
  const bound = { gate, checksum: canary?.checksum, templateHash, byTemplate: payload.checksum === undefined };
  return decisions.find(
    (decision) => decision.gate === gate && decision.uid === canary?.uid && isBoundTo(decision, bound),
  );
}

/** Returns the reason why no decision is bound to the run or template of the call. */
function explainMismatch({ gate, canary, decisions }: GateFacts): HookReason {
  const approvals = decisions.filter(
    (decision) => decision.gate === gate && decision.verdict === "approve" && isInForce(decision),
  );
  if (approvals.some(({ uid }) => uid === canary?.uid)) return "revision_changed_since_approval";
  return approvals.length > 0 ? "canary_recreated" : "not_approved";
}

function isInForce({ isExpired, isVoided }: GateDecision): boolean {
  return !isExpired && !isVoided;
}

/** At its highest weight Flagger asks once more, before the promotion: an approval below 100 % does not count. */
function coversNextStep({ bound: { upToWeight } }: GateDecision, { canary }: GateFacts): boolean {
  if (upToWeight === undefined || canary === undefined) return false;
  const { weight, nextWeight } = canary;
  return nextWeight === undefined ? upToWeight >= 100 : weight < upToWeight && nextWeight <= upToWeight;
}

/** The facts that decisions are compared with at a call. */
type BindingFacts = {
  gate: GateName;
  /** Of the run; see `computeChecksum`. */
  checksum: string | undefined;
  /** Of the target's live pod template; see `hashPodTemplate`. */
  templateHash: string | undefined;
  /** The call carried no checksum: the live pod template stands in for it. */
  byTemplate: boolean;
};

/**
 * Returns whether the decision is bound to the call. A missing binding matches nothing, except for a hold: a hold
 * without any binding matches everything.
 */
function isBoundTo({ bound, verdict }: Pick<GateDecision, "bound" | "verdict">, facts: BindingFacts): boolean {
  const { gate, checksum, templateHash, byTemplate } = facts;
  if (verdict === "hold" && bound.checksum === undefined && bound.templateHash === undefined) return true;
  const hasTemplate = bound.templateHash !== undefined && bound.templateHash === templateHash;
  if (gate === "confirm-rollout") return hasTemplate;
  if (bound.checksum === undefined || bound.checksum !== checksum) return false;
  return byTemplate ? hasTemplate : true;
}
