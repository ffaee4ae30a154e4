import type { ActionAccepted, ActionRequest } from "#lib/contract/action.ts";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import { act } from "#lib/server/acting/act/act.ts";
import { attemptOf } from "#lib/server/acting/act/action-attempt.ts";
import { resolveRollout } from "#lib/server/acting/act/resolve-rollout.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";

/**
 * Carries out one action on a rollout: authorised, bound to the view that the person saw, audited before and after.
 * Resolves once the cluster has answered, with state applied, partial or unknown. Every refusal is a `ServiceError`
 * with `actionId`. `idempotencyKey` is the header of that name: the same key and body give the same answer for 24 h.
 */
export async function actOnRollout({
  ctx,
  input,
  idempotencyKey,
}: {
  ctx: ActingContext;
  input: RolloutPath & ActionRequest & { agent?: true | undefined };
  idempotencyKey?: string;
}): Promise<ActionAccepted> {
  const { cluster, namespace, kind, name, action } = input;
  const path: RolloutPath = { cluster, namespace, kind, name };
  const byAgent = input.agent === true;
  const attempt = { ...attemptOf({ ctx, path, input: byAgent ? withExactView(input) : input }), byAgent };
  const { params } = attempt.request;
  return act({ attempt, idempotencyKey, resolve: () => resolveRollout(ctx, { path, action, params }) });
}

/** A person's protective action also counts on a later view of the same revision: without one, only the view counts. */
function withExactView({ expect: { revisionKey: _, ...expect }, ...input }: RolloutPath & ActionRequest) {
  return { ...input, expect };
}
