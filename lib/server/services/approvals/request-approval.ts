import { randomUUID } from "node:crypto";
import type { Approval, ApprovalRequest } from "#lib/contract/approval.ts";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import { type ActionSubject, readActionParams } from "#lib/domain/argo/action-params.ts";
import { type GatedActionName, policyActionOf } from "#lib/domain/argo/list-allowed-actions.ts";
import { findNeeds } from "#lib/domain/policy/decide.ts";
import { mayAct } from "#lib/domain/policy/rights.ts";
import { storeRequest } from "#lib/server/acting/stored-request.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { toColumn } from "#lib/server/audit/to-column.ts";
import { actorKey } from "#lib/server/auth/actor.ts";
import { logChange } from "#lib/server/db/log-change.ts";
import { assertPlannable } from "#lib/server/services/acting/act-on-rollout.ts";
import { assertSubjectAction, findSubject } from "#lib/server/services/acting/find-subject.ts";
import { permitOf } from "#lib/server/services/acting/permit-of.ts";
import { serializeApproval } from "#lib/server/services/approvals/approval-row.ts";
import { findApproval } from "#lib/server/services/approvals/find-approval.ts";
import { auditActorOf } from "#lib/server/services/audit-actor.ts";
import { findRollout } from "#lib/server/services/rollouts/find-rollout.ts";
import { formatRolloutId } from "#lib/server/services/rollouts/rollout-row.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";
import { ServiceError } from "#lib/server/services/service-error.ts";

/**
 * Asks for a second person's word on one action, bound to the view that the requester saw. Throws `forbidden` for who
 * may not do it with an approval either, `not_allowed_now` where no rule asks for one, `stale_view` for an old view.
 */
export async function requestApproval({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: RolloutPath & ApprovalRequest;
}): Promise<Approval> {
  const { actor, runtime, requestId } = ctx;
  const row = await findRollout(ctx, input);
  const { action, subject } = await findRequested(ctx, input);
  const params = readActionParams(input);
  if (!mayAct(actor.rights, { action, target: row }))
    throw new ServiceError("forbidden", `Your rights do not include ${action} on ${row.namespace}/${row.name}.`);
  const { secondPerson } = findNeeds({ ...permitOf(ctx, row, runtime.now()), action: policyActionOf(action) });
  if (secondPerson === null)
    throw new ServiceError("not_allowed_now", `No policy asks for a second person for ${action} here: just do it.`);
  if (input.expect.viewDigest !== row.view_digest)
    throw new ServiceError("stale_view", "The rollout changed since you looked at it: look again, then ask.", {
      changes: null,
    });
  const id = randomUUID();
  const { cluster, namespace, kind, name } = row;
  await appendAudit({
    pool: runtime.pool,
    entry: {
      actor: auditActorOf(actor),
      source: "gatehouse",
      code: "approval.request",
      action,
      target: { id: formatRolloutId(row), cluster, namespace, kind, name },
      reason: input.reason,
      outcome: "applied",
      detail: {
        approval: id,
        rule: secondPerson.rule,
        viewDigest: row.view_digest,
        ...storeRequest({ params, subject }),
      },
      requestId,
    },
    within: async (client) => {
      await client.query(
        `INSERT INTO approval (id, rollout_id, cluster, namespace, kind, name, action, uid, view_digest, rule, reason,
           requested_by, requested_by_name, expires_at, params)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, now() + make_interval(mins => $14), $15)`,
        [
          ...[id, row.id, cluster, namespace, kind, name, action, row.uid, row.view_digest, secondPerson.rule],
          ...[input.reason, actorKey(actor), actor.name].map(toColumn),
          secondPerson.expireMinutes,
          JSON.stringify(storeRequest({ params, subject })),
        ],
      );
      await logChange(client, { kind: "approval", ref: id, cluster, namespace, name });
    },
  });
  const approval = await findApproval(runtime.pool, id);
  if (approval === undefined) throw new Error("the new approval was not found");
  return serializeApproval(approval, actor);
}

/** The action, and the run or Experiment that it is about: it must be one of this rollout. */
async function findRequested(
  ctx: ServiceContext,
  input: RolloutPath & ApprovalRequest,
): Promise<{ action: GatedActionName; subject: ActionSubject | undefined }> {
  if (input.subject === undefined) return { action: assertPlannable(input), subject: undefined };
  const found = await findSubject(ctx, input.subject);
  const { cluster, namespace, name } = found.path;
  if (!found.isOwned || cluster !== input.cluster || namespace !== input.namespace || name !== input.name)
    throw new ServiceError("not_found", `The rollout has no such ${input.subject.kind}.`);
  return { action: assertSubjectAction(input.action, found.subject), subject: found.subject };
}
