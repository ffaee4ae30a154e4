import type { ActionAccepted, ActionRequest } from "#lib/contract/action.ts";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import { type RolloutActionName, rolloutActions } from "#lib/domain/acting/action-catalogue.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { mayAct, mayRead } from "#lib/domain/policy/rights.ts";
import { findProvider, providerOfKind } from "#lib/domain/providers.ts";
import { refuseAttempt } from "#lib/server/acting/action-attempt.ts";
import { ServiceError } from "#lib/server/actor/service-error.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { actOnTarget, attemptOf } from "#lib/server/services/acting/act-on-target.ts";
import { findRollout } from "#lib/server/services/rollouts/find-rollout.ts";

type Input = RolloutPath & ActionRequest;

/**
 * Carries out one action on a rollout: authorised, bound to what the person saw, audited before and after. Resolves
 * once the cluster has answered, with state applied, partial or unknown. Every refusal is a `ServiceError` with
 * `actionId`. `idempotencyKey` is the header of that name: the same key and body give the same answer for 24 h.
 */
export async function actOnRollout({
  ctx,
  input,
  idempotencyKey,
}: {
  ctx: ServiceContext;
  input: Input;
  idempotencyKey?: string;
}): Promise<ActionAccepted> {
  const { cluster, namespace, kind, name } = input;
  const path: RolloutPath = { cluster, namespace, kind, name };
  const attempt = attemptOf({ ctx, path, input });
  const { rights } = ctx.actor;
  if (!mayAct(rights, { action: input.action, target: path })) {
    const address = formatObjectRef(path);
    throw await refuseAttempt({
      attempt,
      refusal: mayRead(rights, path)
        ? { code: "forbidden", message: `Your rights do not include ${input.action} on ${address}.` }
        : { code: "not_found", message: `There is no rollout ${address}.` },
    });
  }
  return actOnTarget({
    attempt,
    idempotencyKey,
    find: async () => {
      const action = assertPlannable(input);
      const row = await findRollout(ctx, path);
      const { params } = attempt.request;
      const provider = providerOfKind(path.kind);
      return {
        action,
        recorded: {
          rolloutId: row.id,
          rollout: row,
          uid: row.uid,
          watchedKind: path.kind,
          makeWish: (at) => ({ of: "rollout", ...at, provider, action, address: path, params, images: row.images }),
        },
      };
    },
  });
}

/** Throws `not_allowed_now` for actions that are not planned for this kind. */
export function assertPlannable({ action: asked, kind }: { action: string; kind: string }): RolloutActionName {
  const action = rolloutActions.find((name) => name === asked);
  if (findProvider(kind) === undefined || action === undefined)
    throw new ServiceError("not_allowed_now", `Action ${asked} on a ${kind} is not offered by this version.`);
  return action;
}
