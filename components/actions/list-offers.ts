import { arrangeActions } from "#components/actions/act-target.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";

/**
 * Lists the options when a dialog's state is stale: the same action if the current state allows it, otherwise the
 * actions that answer the current state, and abort.
 */
export function listOffers(actions: readonly AllowedAction[], asked: AllowedAction["action"]): AllowedAction[] {
  const allowed = actions.filter((action) => action.allowed);
  const same = allowed.find(({ action }) => action === asked);
  if (same !== undefined) return [same];
  const { answers, apart } = arrangeActions(allowed);
  return [...answers, ...apart];
}
