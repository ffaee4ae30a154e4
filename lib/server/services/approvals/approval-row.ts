import type { Approval, ApprovalState } from "#lib/contract/approval.ts";
import { ActionName } from "#lib/contract/rollout.ts";
import { requestKeyOf } from "#lib/domain/acting/action-params.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { isAdminOf, mayAct } from "#lib/domain/policy/rights.ts";
import { readStoredRequest } from "#lib/server/acting/stored-request.ts";
import { type Actor, actorKey } from "#lib/server/actor/actor.ts";

/** Columns of `approval p`; the state is judged by the database's clock. */
export const approvalColumns = `p.id, p.rollout_id, p.cluster, p.namespace, p.kind, p.name, p.action, p.params, p.uid, p.view_digest,
  p.rule, p.reason, p.requested_by, p.requested_by_name, p.requested_username, p.requested_at, p.requested_at::text AS requested_key, p.expires_at,
  p.decision, p.decided_by, p.decided_by_name, p.decided_username, p.decided_groups, p.decided_at, p.decision_reason,
  p.action_id, coalesce(p.also_actions, '{}') AS also_actions,
  coalesce(p.passes_pauses, '{}') AS passes_pauses,
  CASE WHEN p.action_id IS NOT NULL THEN 'used' WHEN p.decision IN ('rejected', 'withdrawn') THEN p.decision
    WHEN p.expires_at <= now() THEN 'expired' WHEN p.decision = 'approved' THEN 'approved' ELSE 'pending' END AS state`;

export type ApprovalRow = {
  id: string;
  rollout_id: string;
  cluster: string;
  namespace: string;
  kind: string;
  name: string;
  action: string;
  params: unknown;
  uid: string;
  view_digest: string;
  rule: string;
  reason: string;
  requested_by: string;
  requested_by_name: string;
  /** Null for requests and decisions from before usernames were stored. */
  requested_username: string | null;
  requested_at: Date;
  requested_key: string;
  expires_at: Date;
  decision: string | null;
  decided_by: string | null;
  decided_by_name: string | null;
  decided_username: string | null;
  decided_groups: string[] | null;
  decided_at: Date | null;
  decision_reason: string | null;
  action_id: string | null;
  also_actions: string[];
  passes_pauses: number[];
  state: ApprovalState;
};

export function serializeApproval(row: ApprovalRow, actor: Actor): Approval {
  const { cluster, namespace, kind, name } = row;
  return {
    id: row.id,
    rollout: { id: formatObjectRef(row), cluster, namespace, kind, name },
    action: ActionName.parse(row.action),
    ...readStoredRequest(row),
    state: row.state,
    rule: row.rule,
    reason: row.reason,
    viewDigest: row.view_digest,
    passesPauses: row.passes_pauses,
    requestedBy: row.requested_by_name,
    requestedByUsername: row.requested_username,
    own: row.requested_by === actorKey(actor),
    decidable: row.state === "pending" && explainWhyNotDecider(row, actor) === undefined,
    withdrawable: isOpen(row) && explainWhyNotWithdrawer(row, actor) === undefined,
    requestedAt: row.requested_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    decidedBy: row.decided_by_name,
    decidedByUsername: row.decided_username,
    decidedAt: row.decided_at?.toISOString() ?? null,
    decisionReason: row.decision_reason,
    actionId: row.action_id,
  };
}

/** Identifies what the approval covers; it covers nothing else. */
export function approvalKeyOf(row: Pick<ApprovalRow, "action" | "params">): string {
  const { params, subject } = readStoredRequest(row);
  return requestKeyOf({ action: row.action, params, subject: subject ?? undefined });
}

/**
 * Returns undefined if the actor may approve or reject: not the requester, signed in, with the right to act themselves.
 */
export function explainWhyNotDecider(row: ApprovalRow, actor: Actor): string | undefined {
  if (row.requested_by === actorKey(actor)) return "An approval must come from another person.";
  if (actor.type === "token") return "A token cannot approve: sign in.";
  const missing = [row.action, ...row.also_actions].find((action) => !mayAct(actor.rights, { action, target: row }));
  return missing === undefined ? undefined : `Your rights do not include ${missing} on ${row.namespace}/${row.name}.`;
}

/** Returns whether it is pending, or approved and unused: it can still be withdrawn. */
export function isOpen({ state }: Pick<ApprovalRow, "state">): boolean {
  return state === "pending" || state === "approved";
}

/** Returns undefined if the actor may withdraw it: the requester, the approver, and admins of the place. */
export function explainWhyNotWithdrawer(row: ApprovalRow, actor: Actor): string | undefined {
  const key = actorKey(actor);
  if (row.requested_by === key || (row.decision === "approved" && row.decided_by === key)) return undefined;
  if (isAdminOf(actor.rights, row)) return undefined;
  return row.state === "pending"
    ? "Only who requested it, or an admin there, can withdraw it: reject it instead."
    : "Only who requested it, who approved it, or an admin there can withdraw it.";
}
