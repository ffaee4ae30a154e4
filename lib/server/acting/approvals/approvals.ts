import { z } from "zod";
import type { Approval, ApprovalDecision, ApprovalListQuery } from "#lib/contract/approval.ts";
import type { ListPage } from "#lib/contract/common.ts";
import { auditTargetOf } from "#lib/domain/audit/audit-entry.ts";
import {
  type ApprovalRow,
  explainWhyNotDecider,
  explainWhyNotWithdrawer,
  findApproval,
  isOpen,
  selectApprovals,
  serializeApproval,
} from "#lib/server/acting/approvals/approval-row.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { assertReadable, isReadable } from "#lib/server/people/permission/read-scope.ts";
import { type Actor, actorKey, describePerson, type StoreCall } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf, given } from "#lib/server/platform/db/conditions.ts";
import { transactionTime } from "#lib/server/platform/db/database-time.ts";
import { logChange } from "#lib/server/platform/db/log-change.ts";
import { readRows, write } from "#lib/server/platform/db/run-query.ts";
import { tables, toColumn } from "#lib/server/platform/db/tables.ts";
import { DatabaseTime, isPast, pageOf, parseListCursor } from "#lib/server/records/list-cursor.ts";
import { readStoredRequest, storeRequest } from "#lib/server/records/stored-request.ts";

const Key = z.tuple([DatabaseTime, z.uuid()]);

/** Lists requests for a second person on rollouts within reach, newest first. */
export async function listApprovals({
  ctx: { runtime, actor },
  input,
}: StoreCall<ApprovalListQuery>): Promise<ListPage<Approval>> {
  const after = parseListCursor(Key, input.cursor);
  const query = selectApprovals
    .where((eb) => {
      const isUnspent = allOf([eb("p.expires_at", ">", transactionTime), eb("p.action_id", "is", null)]);
      const isOpen = eb.or([eb("p.decision", "is", null), eb("p.decision", "=", "approved")]);
      return allOf([
        isReadable(actor.rights, {
          cluster: eb.ref("p.cluster"),
          namespace: eb.ref("p.namespace"),
          kind: eb.ref("p.kind"),
          name: eb.ref("p.name"),
        }),
        given(input.state, () => isUnspent),
        given(input.state, (state) => (state === "pending" ? eb("p.decision", "is", null) : isOpen)),
        given(input.cluster, (cluster) => eb("p.cluster", "=", cluster)),
        given(input.namespace, (namespace) => eb("p.namespace", "=", namespace)),
        given(input.name, (name) => eb("p.name", "=", name)),
        given(after, (key) => isPast({ time: eb.ref("p.requested_at"), id: eb.ref("p.id") }, key)),
      ]);
    })
    .orderBy("p.requested_at", "desc")
    .orderBy("p.id")
    .limit(input.limit + 1);
  const rows = await readRows(runtime.pool, query);
  return pageOf({
    rows,
    limit: input.limit,
    keyOf: (row) => [row.requested_key, row.id],
    toItem: (row) => serializeApproval(row, actor),
  });
}

const words = { approve: "approved", reject: "rejected", withdraw: "withdrawn" } as const;

/**
 * Approves or rejects a pending request, once, or withdraws it until it is used, approved or not. Throws `forbidden`
 * without the right, `conflict` if it is decided, used or expired, and `stale_view` if the approver saw another view
 * than the request is bound to.
 */
export async function decideApproval({ ctx, input }: StoreCall<ApprovalDecision & { id: string }>): Promise<Approval> {
  const { actor, runtime } = ctx;
  const missing = `There is no approval ${input.id}.`;
  const row = await findApproval(runtime.pool, input.id);
  if (row === undefined) throw new ServiceError("not_found", missing);
  assertReadable(actor.rights, row, missing);
  assertDecider({ row, actor, input });
  const { cluster, namespace, kind, name } = row;
  const decision = words[input.decision];
  const { params, subject } = readStoredRequest(row);
  const reason = input.reason === undefined || input.reason === "" ? undefined : input.reason;
  await appendChange(ctx, {
    code: `approval.${input.decision}`,
    action: row.action,
    target: auditTargetOf(row),
    reason,
    detail: {
      approval: row.id,
      requestedBy: describePerson({
        key: row.requested_by,
        name: row.requested_by_name,
        username: row.requested_username,
      }),
      ...(input.decision === "withdraw" && row.decided_by !== null
        ? {
            approvedBy: describePerson({
              key: row.decided_by,
              name: row.decided_by_name,
              username: row.decided_username,
            }),
          }
        : {}),
      viewDigest: row.view_digest,
      ...storeRequest({ params, subject: subject ?? undefined }),
    },
    within: async (client) => {
      const decided = await write(
        client,
        tables
          .updateTable("approval")
          .set({
            decision,
            decided_by: toColumn(actorKey(actor)),
            decided_by_name: toColumn(actor.name),
            decided_at: transactionTime,
            decision_reason: toColumn(reason),
            decided_username: toColumn(actor.username),
            decided_groups: [...actor.groups],
          })
          .where("id", "=", row.id)
          .where("action_id", "is", null)
          .where("expires_at", ">", transactionTime)
          .where((eb) =>
            eb.or([eb("decision", "is", null), ...(decision === "withdrawn" ? [eb("decision", "=", "approved")] : [])]),
          )
          // The entry names the earlier approver: if the decision changed meanwhile, it is another request.
          .where("decided_by", "is not distinct from", row.decided_by),
      );
      if (decided !== 1) throw new ServiceError("conflict", "It was decided on or used meanwhile, or has expired.");
      await logChange(client, { kind: "approval", ref: row.id, cluster, namespace, object_kind: kind, name });
    },
  });
  return serializeApproval((await findApproval(runtime.pool, row.id)) ?? row, actor);
}

function assertDecider({ row, actor, input }: { row: ApprovalRow; actor: Actor; input: ApprovalDecision }): void {
  if (input.decision === "withdraw") {
    const obstacle = explainWhyNotWithdrawer(row, actor);
    if (obstacle !== undefined) throw new ServiceError("forbidden", obstacle);
    if (isOpen(row)) return;
  } else {
    const obstacle = explainWhyNotDecider(row, actor);
    if (obstacle !== undefined) throw new ServiceError("forbidden", obstacle);
  }
  if (row.state !== "pending")
    throw new ServiceError("conflict", `This request is ${row.state}; nothing is left to decide.`);
  if (input.decision === "approve" && input.viewDigest !== row.view_digest)
    throw new ServiceError("stale_view", "You saw another state of the rollout than the request is for.", {
      changes: null,
    });
}
