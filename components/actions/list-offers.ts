import { arrangeActions } from "#components/actions/act-target.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";

/**
 * What a person can turn to when the state of a dialog is past: the same action if the present state allows it, else
 * what answers the present state, and abort.
 */
export function listOffers(actions: readonly AllowedAction[], asked: AllowedAction["action"]): AllowedAction[] {
  const allowed = actions.filter((action) => action.allowed);
  const same = allowed.find(({ action }) => action === asked);
  if (same !== undefined) return [same];
  const { answers, apart } = arrangeActions(allowed);
  return [...answers, ...apart];
}
