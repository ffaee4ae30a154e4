import type { Approval } from "#lib/contract/approval.ts";
import { ActionName } from "#lib/contract/rollout.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import type { ApproverRule } from "#lib/domain/policy/count-approvals.ts";
import { type ApprovalRow, isProposal } from "#lib/server/acting/approvals/approval-row.ts";
import {
  explainWhyNotDecider,
  explainWhyNotWithdrawer,
  hasApproved,
  isOpen,
  judgeApproval,
} from "#lib/server/acting/approvals/judge-approval.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import { actorKey } from "#lib/server/platform/actor/actor.ts";
import { readStoredRequest } from "#lib/server/records/stored-request.ts";

export function serializeApproval(row: ApprovalRow, { runtime, actor }: ActingContext): Approval {
  const { cluster, namespace, kind, name } = row;
  const judged = judgeApproval(runtime, row);
  const { state, votes, progress } = judged;
  const counted = new Set(progress.flatMap((each) => each.counted));
  return {
    id: row.id,
    rollout: { id: formatObjectRef(row), cluster, namespace, kind, name },
    action: ActionName.parse(row.action),
    ...readStoredRequest(row),
    state,
    rule: row.rule,
    reason: row.reason,
    viewDigest: row.view_digest,
    passesPauses: row.passes_pauses,
    targetVersion: row.target_version,
    agent: row.agent_name === null ? null : { name: row.agent_name },
    requestedBy: row.requested_by_name,
    requestedByUsername: row.requested_username,
    own: !isProposal(row) && row.requested_by === actorKey(actor),
    decidable:
      state === "pending" && !hasApproved(judged, actor) && explainWhyNotDecider({ row, judged, actor }) === undefined,
    withdrawable: isOpen(judged) && explainWhyNotWithdrawer({ row, judged, actor }) === undefined,
    requestedAt: row.requested_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    rules: isOpen(judged) ? progress.map(({ rule, counted }) => ({ ...toRule(rule), approved: counted.length })) : [],
    approvals: votes.map((vote) => ({
      name: vote.name,
      username: vote.username,
      at: vote.at,
      reason: vote.reason,
      counts: counted.has(vote),
    })),
    decidedBy: row.decided_by_name,
    decidedByUsername: row.decided_username,
    decidedAt: row.decided_at?.toISOString() ?? null,
    decisionReason: row.decision_reason,
    actionId: row.action_id,
  };
}

function toRule({ name, approvers, groups }: ApproverRule): Pick<Approval["rules"][number], keyof ApproverRule> {
  return { name, approvers, groups: [...groups] };
}
