import { z } from "zod";
import type { Approval, ApprovalState } from "#lib/contract/approval.ts";
import { ActionName } from "#lib/contract/rollout.ts";
import { requestKeyOf } from "#lib/domain/acting/action-params.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { isAdminOf, mayAct } from "#lib/domain/policy/rights.ts";
import { type Actor, actorKey } from "#lib/server/platform/actor/actor.ts";
import { transactionTime } from "#lib/server/platform/db/database-time.ts";
import { type Connection, type RowOf, readRow } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { readStoredRequest } from "#lib/server/records/stored-request.ts";

/** Selects approvals; the state is judged by the database's clock. */
export const selectApprovals = tables
  .selectFrom("approval as p")
  .select(["p.id", "p.rollout_id", "p.cluster", "p.namespace", "p.kind", "p.name", "p.action", "p.params", "p.uid"])
  .select(["p.view_digest", "p.rule", "p.reason", "p.requested_by", "p.requested_by_name", "p.requested_username"])
  .select(["p.requested_at", "p.expires_at", "p.decision", "p.decided_by", "p.decided_by_name", "p.decided_username"])
  .select(["p.target_version", "p.decided_groups", "p.decided_at", "p.decision_reason", "p.action_id"])
  .select(["p.also_actions", "p.passes_pauses"])
  .select(({ case: choose, cast }) => [
    cast<string>("p.requested_at", "text").as("requested_key"),
    choose()
      .when("p.action_id", "is not", null)
      .then<ApprovalState>("used")
      .when("p.decision", "=", "rejected")
      .then<ApprovalState>("rejected")
      .when("p.decision", "=", "withdrawn")
      .then<ApprovalState>("withdrawn")
      .when("p.expires_at", "<=", transactionTime)
      .then<ApprovalState>("expired")
      .when("p.decision", "=", "approved")
      .then<ApprovalState>("approved")
      .else<ApprovalState>("pending")
      .end()
      .as("state"),
  ]);

export type ApprovalRow = RowOf<typeof selectApprovals>;

export async function findApproval(connection: Connection, id: string): Promise<ApprovalRow | undefined> {
  if (!z.uuid().safeParse(id).success) return undefined;
  return readRow(connection, selectApprovals.where("p.id", "=", id));
}

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
    targetVersion: row.target_version,
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

/**
 * Returns undefined if the actor may withdraw it: the requester, the approver, and admins of the place. A token
 * withdraws only a request that it may make itself.
 */
export function explainWhyNotWithdrawer(row: ApprovalRow, actor: Actor): string | undefined {
  if (isAdminOf(actor.rights, row)) return undefined;
  const key = actorKey(actor);
  const isRequester = row.requested_by === key;
  if (actor.type === "token") {
    if (isRequester && mayAct(actor.rights, { action: row.action, target: row })) return undefined;
    return "A token can withdraw only its owner's requests for actions that it may carry out itself: sign in.";
  }
  if (isRequester || (row.decision === "approved" && row.decided_by === key)) return undefined;
  return row.state === "pending"
    ? "Only who requested it, or an admin there, can withdraw it: reject it instead."
    : "Only who requested it, who approved it, or an admin there can withdraw it.";
}
