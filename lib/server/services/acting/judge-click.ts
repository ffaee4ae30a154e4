import type { ProblemCode } from "#lib/contract/problem.ts";
import { isProblemCode } from "#lib/contract/problem.ts";
import { requestKeyOf } from "#lib/domain/acting/action-params.ts";
import { type ActionGate, findGateRefusal } from "#lib/domain/acting/judge-actions.ts";
import { type ActionPlan, alsoDoneBy } from "#lib/domain/acting/plan.ts";
import type { Approval } from "#lib/domain/policy/decide.ts";
import type { ActionAttempt, Refusal } from "#lib/server/acting/action-attempt.ts";
import { actorKey } from "#lib/server/actor/actor.ts";
import { robotIssuer } from "#lib/server/auth/derive-rights.ts";
import type { ActionTarget } from "#lib/server/services/acting/resolve-target.ts";
import { type ApprovalRow, approvalKeyOf } from "#lib/server/services/approvals/approval-row.ts";
import { approverMayAct } from "#lib/server/services/approvals/approver-may-act.ts";

/**
 * Judges the click as its button was judged, and by what the request adds: reason, sign-in, approval. Once there is a
 * plan, what it does in addition and the pauses that it may pass count too.
 */
export function judgeClick({
  attempt,
  target,
  gate,
  approval: row,
  plan,
}: {
  attempt: ActionAttempt;
  target: ActionTarget;
  gate: ActionGate;
  /** The approval that the request names, as stored. */
  approval: ApprovalRow | undefined;
  plan?: ActionPlan;
}): Refusal | undefined {
  const { request, ctx } = attempt;
  const { actor } = ctx;
  const { action } = target;
  const actions = [action, ...(plan === undefined ? [] : alsoDoneBy({ action, plan }))];
  const named = row === undefined ? "unknown" : approvalOf({ ctx, row, actions });
  const click = {
    actorKey: actorKey(actor),
    isRobot: actor.issuer === robotIssuer,
    request: requestKeyOf(request),
    rolloutId: target.rolloutId,
    // An approval is bound to the rollout's uid, or to a run's own uid if it has no owner.
    uid: target.rollout === undefined ? target.uid : (request.expect.uid ?? target.rollout.uid),
    viewDigest: request.expect.viewDigest,
    reason: request.reason,
    breakGlass: request.breakGlass === true,
    authenticatedAt: actor.session === undefined ? null : (actor.session.authenticatedAt ?? "unknown"),
    approval: request.approval === undefined ? undefined : named,
  } as const;
  const refused = findGateRefusal({ action, plan, gate, click });
  return refused === undefined ? undefined : refusalOf(refused);
}

function refusalOf({ reasonCode, reason }: { reasonCode: string; reason: string }): Refusal {
  const code: ProblemCode = isProblemCode(reasonCode) ? reasonCode : "not_allowed_now";
  return code === "reason_required"
    ? { code, message: reason, extra: { invalidParams: [{ name: "reason", reason: "required for this action" }] } }
    : { code, message: reason };
}

/** Reads an approval for the judge. One that was rejected, withdrawn or used counts as not approved. */
function approvalOf({
  ctx: { runtime },
  row,
  actions,
}: {
  ctx: ActionAttempt["ctx"];
  row: ApprovalRow;
  actions: readonly string[];
}): Approval {
  const { cluster, namespace, kind, name } = row;
  return {
    request: approvalKeyOf(row),
    rolloutId: row.rollout_id,
    target: { cluster, namespace, kind, name },
    uid: row.uid,
    viewDigest: row.view_digest,
    passesPauses: row.passes_pauses,
    requestedBy: row.requested_by,
    approvedBy: row.state === "approved" ? row.decided_by : null,
    approverMayAct: approverMayAct({ runtime, row, actions }),
    expiresAt: row.expires_at,
  };
}
