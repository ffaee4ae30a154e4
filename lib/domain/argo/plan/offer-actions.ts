import type { ActionOffer } from "#lib/domain/acting/judge-actions.ts";
import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import type { Offering } from "#lib/domain/delivery/acting.ts";
import { argoActions, planAction } from "./plan-action.ts";
import { offerTemplateAction } from "./plan-offer.ts";

/** Returns a plan for each action on a Rollout as it is now, or the reason why it cannot be done. */
export function offerActions(rollout: RolloutObject, { now, images, related, among }: Offering): ActionOffer[] {
  const wanted = among === undefined ? argoActions : argoActions.filter((action) => among.includes(action));
  return wanted.map((action) => ({
    action,
    plan:
      offerTemplateAction({ action, rollout, replicaSets: related.replicaSets }) ??
      planAction({ action, rollout, now, images }),
  }));
}
