import { z } from "zod";
import { type Action, NoEffectWhy } from "#lib/contract/action.ts";
import { ActionName } from "#lib/contract/rollout.ts";
import { assertReadable } from "#lib/server/people/permission/read-scope.ts";
import type { StoreCall } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { type ActionRow, findAction } from "#lib/server/records/action-store.ts";
import { readStoredRequest } from "#lib/server/records/stored-request.ts";

/** Returns one action and its outcome. Throws `not_found`. */
export async function getAction({ ctx, input }: StoreCall<{ id: string }>): Promise<Action> {
  const row = z.uuid().safeParse(input.id).success ? await findAction(ctx.runtime.pool, input.id) : undefined;
  const missing = "There is no such action.";
  if (row === undefined) throw new ServiceError("not_found", missing);
  assertReadable(ctx.actor.rights, row, missing);
  const { cluster, namespace, kind, name } = row;
  return {
    id: row.id,
    rollout: { id: `${cluster}/${namespace}/${kind}/${name}`, cluster, namespace, kind, name },
    ...readStoredRequest(row),
    action: ActionName.parse(row.action),
    state: row.state,
    final: isFinal(row),
    why: NoEffectWhy.safeParse(row.effect_why).data ?? null,
    watchedUntil: row.watch_until?.toISOString() ?? null,
    reason: row.reason,
    actor: row.actor_name,
    actorUsername: row.actor_username,
    message: row.message,
    auditSeq: row.intent_seq === null ? null : Number(row.intent_seq),
    outcomeSeq: row.outcome_seq === null ? null : Number(row.outcome_seq),
    requestedAt: row.requested_at.toISOString(),
    appliedAt: row.applied_at?.toISOString() ?? null,
    effectiveAt: row.effective_at?.toISOString() ?? null,
  };
}

export function isFinal({ state, watch_until }: ActionRow): boolean {
  if (state === "not-effective") return watch_until === null;
  return state === "effective" || state === "refused" || state === "partial";
}
