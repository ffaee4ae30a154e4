import { z } from "zod";
import type { Approval, ApprovalDecision, ApprovalListQuery } from "#lib/contract/approval.ts";
import type { ListPage } from "#lib/contract/common.ts";
import { auditTargetOf } from "#lib/domain/audit/audit-entry.ts";
import { explainRule, isApprover } from "#lib/domain/policy/count-approvals.ts";
import { type ApprovalRow, findApproval, selectApprovals } from "#lib/server/acting/approvals/approval-row.ts";
import {
  explainWhyNotDecider,
  explainWhyNotWithdrawer,
  hasApproved,
  isOpen,
  isProposalOf,
  type JudgedApproval,
  judgeApproval,
  notOwnProposal,
} from "#lib/server/acting/approvals/judge-approval.ts";
import { serializeApproval } from "#lib/server/acting/approvals/serialize-approval.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { assertReadable, isReadable } from "#lib/server/people/permission/read-scope.ts";
import { type Actor, actorKey, describePerson } from "#lib/server/platform/actor/actor.ts";
import { isServiceError, ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf, given } from "#lib/server/platform/db/conditions.ts";
import { readDatabaseTime, transactionTime } from "#lib/server/platform/db/database-time.ts";
import { logChange } from "#lib/server/platform/db/log-change.ts";
import { readRows, write } from "#lib/server/platform/db/run-query.ts";
import { jsonOf } from "#lib/server/platform/db/sql-functions.ts";
import { tables, toColumn } from "#lib/server/platform/db/tables.ts";
import { DatabaseTime, isPast, pageOf, parseListCursor } from "#lib/server/records/list-cursor.ts";
import { readStoredRequest, storeRequest } from "#lib/server/records/stored-request.ts";
import { makeVote, readStoredVotes } from "#lib/server/records/stored-votes.ts";

type ActingCall<Input> = { ctx: ActingContext; input: Input };

const Key = z.tuple([DatabaseTime, z.uuid()]);

/**
 * Lists requests for a second person on rollouts within reach, newest first. The current config decides which are
 * pending, so a page of these may have fewer items than its limit.
 */
export async function listApprovals({ ctx, input }: ActingCall<ApprovalListQuery>): Promise<ListPage<Approval>> {
  const { runtime, actor } = ctx;
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
        given(input.state, () => allOf([isUnspent, isOpen])),
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
  const page = pageOf({
    rows,
    limit: input.limit,
    keyOf: (row) => [row.requested_key, row.id],
    toItem: (row) => serializeApproval(row, ctx),
  });
  const isAsked = ({ state }: Approval) => state === "pending" || (state === "approved" && input.state === "open");
  return input.state === undefined ? page : { ...page, items: page.items.filter(isAsked) };
}

const words = { approve: "approved", reject: "rejected", withdraw: "withdrawn" } as const;
/** Each retry follows another decision on the request, and each person decides once. */
const mostTries = 20;

type Deciding = ActingCall<ApprovalDecision & { id: string }>;
type Decidable = { row: ApprovalRow; judged: JudgedApproval };

/**
 * Approves or rejects a pending request, each person once, or withdraws it until it is used, approved or not. It is
 * approved once the rules of the current config are satisfied. Throws `forbidden` without the right, `conflict` if it is
 * decided, used or expired, and `stale_view` if the approver saw another view than the request is bound to.
 */
export async function decideApproval({ ctx, input }: Deciding): Promise<Approval> {
  const { pool } = ctx.runtime;
  for (let tries = 1; ; tries += 1) {
    const found = await findDecidable({ ctx, input });
    try {
      await storeDecision({ ctx, input, ...found });
      return serializeApproval((await findApproval(pool, found.row.id)) ?? found.row, ctx);
    } catch (error) {
      // Another decision came first: this one is judged again, together with that one.
      if (tries === mostTries || !isServiceError(error) || error.code !== "conflict") throw error;
    }
  }
}

async function findDecidable({ ctx: { actor, runtime }, input }: Deciding): Promise<Decidable> {
  const missing = `There is no approval ${input.id}.`;
  const row = await findApproval(runtime.pool, input.id);
  if (row === undefined) throw new ServiceError("not_found", missing);
  assertReadable(actor.rights, row, missing);
  const judged = judgeApproval(runtime, row);
  assertDecider({ row, judged, actor, input });
  return { row, judged };
}

async function storeDecision({ ctx, input, row, judged }: Deciding & Decidable): Promise<void> {
  const { actor } = ctx;
  const { cluster, namespace, kind, name } = row;
  const { params, subject } = readStoredRequest(row);
  const reason = input.reason === undefined || input.reason === "" ? undefined : input.reason;
  const isApproval = input.decision === "approve";
  const rules = isApproval ? countWith(judged, actor) : undefined;
  const isShort = rules?.some(({ approved, approvers }) => approved < approvers) === true;
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
      ...(row.agent_name === null ? {} : { agent: { id: row.agent_id, name: row.agent_name } }),
      ...(judged.votes.length === 0 ? {} : { approvedBy: judged.votes.map(describePerson) }),
      ...(rules === undefined ? {} : { rules }),
      ...(isShort ? { requires: explainRules(judged) } : {}),
      viewDigest: row.view_digest,
      ...storeRequest({ params, subject: subject ?? undefined }),
    },
    within: async (client) => {
      const vote = isApproval ? [makeVote({ actor, at: await readDatabaseTime(client), reason })] : [];
      const decided = await write(
        client,
        tables
          .updateTable("approval")
          .set({
            decision: isShort ? null : words[input.decision],
            decided_by: toColumn(actorKey(actor)),
            decided_by_name: toColumn(actor.name),
            decided_at: transactionTime,
            decision_reason: toColumn(reason),
            decided_username: toColumn(actor.username),
            votes: jsonOf(JSON.stringify([...readStoredVotes(row), ...vote])),
          })
          .where("id", "=", row.id)
          .where("action_id", "is", null)
          .where("expires_at", ">", transactionTime)
          .where((eb) => eb.or([eb("decision", "is", null), eb("decision", "=", "approved")]))
          // The decision and its entry follow from these: if they changed meanwhile, it is another request.
          .where("votes", "=", jsonOf(JSON.stringify(row.votes))),
      );
      if (decided !== 1) throw new ServiceError("conflict", "It was decided on or used meanwhile, or has expired.");
      await logChange(client, { kind: "approval", ref: row.id, cluster, namespace, object_kind: kind, name });
    },
  });
}

/** Counts the approvals for each rule, with the actor's. */
function countWith(
  { progress }: JudgedApproval,
  { groups }: Actor,
): { rule: string; approvers: number; approved: number }[] {
  return progress.map(({ rule, counted }) => ({
    rule: rule.name,
    approvers: rule.approvers,
    approved: counted.length + (isApprover(rule, groups) ? 1 : 0),
  }));
}

function explainRules({ progress }: JudgedApproval): string {
  return progress.map(({ rule }) => explainRule(rule)).join(" ");
}

function assertDecider({ row, judged, actor, input }: Decidable & { actor: Actor; input: ApprovalDecision }): void {
  const isWithdrawal = input.decision === "withdraw";
  const obstacle = (isWithdrawal ? explainWhyNotWithdrawer : explainWhyNotDecider)({ row, judged, actor });
  if (obstacle !== undefined) throw new ServiceError("forbidden", obstacle);
  if (input.ownProposal === true && !isProposalOf(row, actor)) throw new ServiceError("forbidden", notOwnProposal);
  if (isWithdrawal && isOpen(judged)) return;
  if (judged.state !== "pending")
    throw new ServiceError("conflict", `This request is ${judged.state}; nothing is left to decide.`);
  if (hasApproved(judged, actor))
    throw new ServiceError("conflict", "You have approved it already: another person must decide, or withdraw it.");
  if (input.decision === "approve" && input.viewDigest !== row.view_digest)
    throw new ServiceError("stale_view", "You saw another state of the rollout than the request is for.", {
      changes: null,
    });
}
