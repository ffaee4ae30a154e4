import type { RolloutPath } from "#lib/contract/rollout.ts";
import type { RolloutActionName } from "#lib/domain/acting/action-catalogue.ts";
import type { ActionParams } from "#lib/domain/acting/action-params.ts";
import { nothingRelated } from "#lib/domain/delivery/related-state.ts";
import { findProvider, providerOfKind } from "#lib/domain/providers.ts";
import type { ActionTarget } from "#lib/server/acting/act/prepare-action.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import { readRelatedState } from "#lib/server/clusters/sources/read-related-state.ts";
import { type FullRolloutRow, findRollout } from "#lib/server/people/permission/find-rollout.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";

/** Resolves a rollout and an action on it. Throws `not_found`, or `not_allowed_now` for an action that it lacks. */
export async function resolveRollout(
  ctx: ActingContext,
  { path, action: asked, params }: { path: RolloutPath; action: string; params: ActionParams },
): Promise<ActionTarget> {
  const action = assertPlannable({ action: asked, kind: path.kind });
  const row = await findRollout(ctx, path);
  const provider = providerOfKind(path.kind);
  const recorded = provider.parse(row.object);
  const workloads = recorded.ok ? recorded.value.workloads : [];
  const related = (await readRelatedState(ctx.runtime.pool, [{ ...row, workloads }])).get(row.id) ?? nothingRelated;
  return {
    action,
    place: path,
    rolloutId: row.id,
    rollout: markUnreadable(row),
    uid: row.uid,
    watchedKind: path.kind,
    toRequestedAction: (at) => ({
      of: "rollout",
      ...at,
      provider,
      action,
      address: path,
      params,
      related,
      images: row.images,
    }),
  };
}

/** Treats a recorded object that cannot be parsed like one in quarantine: no action is taken on it. */
export function markUnreadable(row: FullRolloutRow): FullRolloutRow {
  return providerOfKind(row.kind).parse(row.object).ok ? row : { ...row, is_quarantined: true };
}

/** Throws `not_allowed_now` for actions that are not planned for this kind. */
export function assertPlannable({ action: asked, kind }: { action: string; kind: string }): RolloutActionName {
  const action = findProvider(kind)?.acting.actions.find((name) => name === asked);
  if (action === undefined)
    throw new ServiceError("not_allowed_now", `Action ${asked} on a ${kind} is not offered by this version.`);
  return action;
}
