import type { ActionAccepted, ActionRequest } from "#lib/contract/action.ts";
import type { ActionSubject } from "#lib/domain/acting/action-params.ts";
import { mayAct } from "#lib/domain/policy/rights.ts";
import { refuseAttempt } from "#lib/server/acting/action-attempt.ts";
import { isServiceError, ServiceError } from "#lib/server/actor/service-error.ts";
import { auditRefusal } from "#lib/server/audit/audit-refusal.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { actOnTarget, attemptOf, withAudit } from "#lib/server/services/acting/act-on-target.ts";
import { assertSubjectAction, findOwner, findSubject, wishOf } from "#lib/server/services/acting/find-subject.ts";

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
  ctx: ServiceContext;
  kind: ActionSubject["kind"];
  input: { uid: string } & ActionRequest;
  idempotencyKey?: string | undefined;
}): Promise<ActionAccepted> {
  const found = await withAudit(() => findSubject(ctx, { kind, uid: input.uid })).catch(async (error: unknown) => {
    if (!isServiceError(error) || error.code === "audit_unavailable") throw error;
    throw await refuseUnseen({ ctx, kind, input, error });
  });
  const { path, subject } = found;
  const attempt = attemptOf({ ctx, path, input, subject });
  if (!mayAct(ctx.actor.rights, { action: input.action, target: path }))
    throw await refuseAttempt({
      attempt,
      refusal: {
        code: "forbidden",
        message: `Your rights do not include ${input.action} on ${path.namespace}/${path.name}.`,
      },
    });
  return actOnTarget({
    attempt,
    idempotencyKey,
    find: async () => {
      const action = assertSubjectAction(input.action, subject);
      const rollout = await findOwner(ctx, found);
      return {
        action,
        recorded: {
          rolloutId: found.rolloutId,
          rollout,
          uid: rollout?.uid ?? subject.uid,
          watchedKind: rollout?.kind ?? kind,
          makeWish: (at) => wishOf({ found, action, at }),
        },
      };
    },
  });
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
  ctx: ServiceContext;
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
