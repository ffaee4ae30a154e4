import type { AllowedAction, RolloutSummary } from "#lib/contract/rollout.ts";

/** The rollout that an action is asked for, as the person sees it: the action is bound to these. */
export type ActTarget = Pick<
  RolloutSummary,
  "id" | "cluster" | "namespace" | "kind" | "name" | "viewDigest" | "uid" | "revisionKey"
>;

/**
 * The order of buttons: what goes on first, what steers the rollout aside from its course after it, and what protects
 * last, where it is set apart.
 */
export function sortActions(actions: readonly AllowedAction[]): {
  advancing: AllowedAction[];
  protective: AllowedAction[];
} {
  return {
    advancing: actions.filter((action) => !action.protective),
    protective: actions.filter((action) => action.protective),
  };
}

/** What a page that gets no answers makes of an action: nothing advances on old knowledge. */
export function blockAdvancing(action: AllowedAction): AllowedAction {
  if (action.protective || !action.allowed) return action;
  return {
    ...action,
    allowed: false,
    reasonCode: "source_stale",
    reason: "Gatehouse does not answer this page, and nothing advances on old knowledge.",
  };
}
