import type { ActionAccepted } from "#lib/contract/action.ts";
import type { Approval, ApprovalDecision } from "#lib/contract/approval.ts";
import { RolloutPath } from "#lib/contract/rollout.ts";
import { act } from "#lib/server/acting/act/act.ts";
import { type ActionAttempt, attemptOf, normaliseReason } from "#lib/server/acting/act/action-attempt.ts";
import { assertPlannable, resolveRollout } from "#lib/server/acting/act/resolve-rollout.ts";
import {
  type ApprovalRow,
  explainClosed,
  findApproval,
  isProposal,
} from "#lib/server/acting/approvals/approval-row.ts";
import { decideApproval } from "#lib/server/acting/approvals/approvals.ts";
import { serializeApproval } from "#lib/server/acting/approvals/serialize-approval.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import { assertReadable } from "#lib/server/people/permission/read-scope.ts";
import { actorKey, describePerson } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { readStoredRequest } from "#lib/server/records/stored-request.ts";

type Deciding = {
  ctx: ActingContext;
  input: ApprovalDecision & { id: string };
  /** Counts the action that an accepted proposal becomes. */
  count: (action: string, outcome: Promise<ActionAccepted>) => Promise<unknown>;
};

/** Decides about a request for approval, or an agent's proposal: to approve that is to act, through all checks. */
export async function decideRequest(deciding: Deciding): Promise<Approval> {
  const { ctx, input } = deciding;
  const row = input.decision === "approve" ? await findApproval(ctx.runtime.pool, input.id) : undefined;
  return row !== undefined && isProposal(row) ? acceptProposal({ ...deciding, row }) : decideApproval(deciding);
}

/** Acts as the person, on the view that the agent was given. The intent uses the proposal up. */
async function acceptProposal({ ctx, input, count, row }: Deciding & { row: ApprovalRow }): Promise<Approval> {
  const { actor, runtime } = ctx;
  assertReadable(actor.rights, row, `There is no approval ${row.id}.`);
  if (actor.type !== "user") throw new ServiceError("forbidden", "Only a signed-in person can accept a proposal.");
  if (row.state === "used") {
    // A click that is repeated after a broken connection asks for what was done.
    if (row.decided_by === actorKey(actor)) return serializeApproval(row, ctx);
    throw new ServiceError("conflict", `The proposal was accepted by ${row.decided_by_name ?? "another person"}.`);
  }
  if (row.state === "superseded") throw new ServiceError("stale_view", explainClosed(row), { changes: null });
  if (row.state !== "open") throw new ServiceError("conflict", explainClosed(row));
  if (input.viewDigest !== row.view_digest)
    throw new ServiceError("stale_view", "You saw another state of the rollout than the agent.", { changes: null });
  const accepting = act({
    attempt: attemptOfProposal({ ctx, row, reason: input.reason }),
    idempotencyKey: undefined,
    resolve: () =>
      resolveRollout(ctx, { path: pathOf(row), action: row.action, params: readStoredRequest(row).params }),
  });
  await count(row.action, accepting);
  return serializeApproval((await findApproval(runtime.pool, row.id)) ?? row, ctx);
}

const pathOf = ({ cluster, namespace, kind, name }: ApprovalRow) =>
  RolloutPath.parse({ cluster, namespace, kind, name });

/** The person who gives no reason adopts the agent's, unless a rule asks for one. */
function attemptOfProposal({
  ctx,
  row,
  reason,
}: {
  ctx: ActingContext;
  row: ApprovalRow;
  reason: string | undefined;
}): ActionAttempt {
  const expect = {
    viewDigest: row.view_digest,
    uid: row.uid,
    passesPauses: row.passes_pauses,
    ...(row.target_version === null ? {} : { targetVersion: row.target_version }),
  };
  const path = pathOf(row);
  const action = assertPlannable({ action: row.action, kind: row.kind });
  const own = normaliseReason(reason);
  const input = { action, ...readStoredRequest(row).params, reason: own ?? row.reason, expect };
  const person = { key: row.requested_by, name: row.requested_by_name, username: row.requested_username };
  return {
    ...attemptOf({ ctx, path, input }),
    proposal: {
      id: row.id,
      agent: { id: row.agent_id ?? "", name: row.agent_name ?? "" },
      proposedBy: describePerson(person),
      ...(own === undefined ? { reasonBy: "agent" as const } : {}),
    },
  };
}
