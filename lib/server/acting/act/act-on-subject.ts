import type { ActionAccepted, ActionRequest } from "#lib/contract/action.ts";
import type { ActionSubject } from "#lib/domain/acting/action-params.ts";
import { act, withAudit } from "#lib/server/acting/act/act.ts";
import { attemptOf } from "#lib/server/acting/act/action-attempt.ts";
import { findSubject, resolveSubject } from "#lib/server/acting/act/find-subject.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import { auditRefusal } from "#lib/server/audit/audit-refusal.ts";
import { isServiceError, ServiceError } from "#lib/server/platform/actor/service-error.ts";

/**
 * Ends an analysis run or an Experiment, or restarts an Experiment. Authorised at the rollout that owns it, bound to
 * that rollout's view, audited before and after. A subject without an owning rollout is bound to its own uid.
 */
export async function actOnSubject({
  ctx,
  kind,
  input,
  idempotencyKey,
}: {
  ctx: ActingContext;
  kind: ActionSubject["kind"];
  input: { uid: string } & ActionRequest;
  idempotencyKey?: string | undefined;
}): Promise<ActionAccepted> {
  const found = await withAudit(() => findSubject(ctx, { kind, uid: input.uid })).catch(async (error: unknown) => {
    if (!isServiceError(error) || error.code === "audit_unavailable") throw error;
    throw await refuseUnseen({ ctx, kind, input, error });
  });
  const attempt = attemptOf({ ctx, path: found.path, input, subject: found.subject });
  return act({ attempt, idempotencyKey, resolve: () => resolveSubject(ctx, { found, action: input.action }) });
}

/**
 * Audits the refusal with only the requested uid: people read their own entries, and must not learn from them whether
 * the run exists. People without any right to act are refused before that.
 */
async function refuseUnseen({
  ctx,
  kind,
  input: { uid, action, reason, expect },
  error,
}: {
  ctx: ActingContext;
  kind: ActionSubject["kind"];
  input: { uid: string } & ActionRequest;
  error: ServiceError;
}): Promise<ServiceError> {
  const answer =
    error.code === "not_found" && ctx.actor.role === "viewer"
      ? new ServiceError("forbidden", `This needs the role operator; yours is ${ctx.actor.role}.`)
      : error;
  const detail = { subject: { kind, uid: uid.slice(0, 100) }, viewDigest: expect.viewDigest };
  await auditRefusal({
    ctx,
    error: answer,
    asked: { code: `action.${action}`, action, reason, detail },
    place: `${kind} ${uid}`,
  });
  return answer;
}
