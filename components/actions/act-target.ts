import type { ActionSubject } from "#lib/contract/action.ts";
import type { AllowedAction, RolloutSummary } from "#lib/contract/rollout.ts";
import { backActions, entryOf } from "#lib/domain/acting/action-catalogue.ts";

export type NamedSubject = ActionSubject & { name: string };

/**
 * The rollout that an action is requested for, as the person sees it: the action is bound to these values. With a
 * subject, the action is for that run or Experiment and is guarded by the rollout that owns it, or by the subject's uid
 * if no rollout does.
 */
export type ActTarget = Pick<RolloutSummary, "id" | "cluster" | "namespace" | "name" | "viewDigest" | "uid"> & {
  kind: string;
  revisionKey?: string | undefined;
  subject?: NamedSubject | undefined;
} & Partial<Pick<RolloutSummary, "step" | "phase" | "attention" | "updatedAt">>;

/** Returns the user-facing name of the action's target. */
export function nameOf({ name, subject }: Pick<ActTarget, "name" | "subject">): string {
  return subject?.name ?? name;
}

export type ArrangedActions = {
  /** Actions that the current state calls for: shown first, as buttons. A guard such as a freeze greys them out. */
  answers: AllowedAction[];
  /** Actions that go back to the stable version: apart from the others. One that the state rules out is in the menu. */
  apart: AllowedAction[];
  /** In the menu; each disabled action shows its reason. */
  more: AllowedAction[];
};

/** Arranges the actions. Only an action that answers the current state has a planned effect, so `effect` marks it. */
export function arrangeActions(actions: readonly AllowedAction[]): ArrangedActions {
  const isAnswer = ({ action, effect }: AllowedAction) => entryOf(action).answers !== undefined && effect !== undefined;
  const isApart = ({ action, allowed, effect }: AllowedAction) =>
    backActions.includes(action) && (allowed || effect !== undefined);
  return {
    answers: actions.filter(isAnswer),
    apart: actions.filter(isApart),
    more: actions.filter((action) => !isApart(action) && !isAnswer(action)),
  };
}

/**
 * Explains the freeze or the set that keeps a rollout where it is, also for those who may override it; undefined without
 * one.
 */
export function explainHold(actions: readonly AllowedAction[]): string | undefined {
  const whys = actions.map(({ allowed, reasonCode, reason, needs: { barrier, freeze } }) => {
    if (allowed) return barrier?.because ?? freeze?.because;
    return reasonCode === "frozen" || reasonCode === "barrier" ? reason : undefined;
  });
  return whys.find((why) => why !== undefined);
}

/**
 * Disables an advancing action on a page that gets no answers: nothing advances on old data. Whether its source was
 * stale at the last answer no longer matters.
 */
export function blockAdvancing(action: AllowedAction): AllowedAction {
  const isOffAnyway = !action.allowed && action.reasonCode !== "source_stale";
  if (action.protective || isOffAnyway) return action;
  return {
    ...action,
    allowed: false,
    reasonCode: "source_stale",
    reason: "Gatehouse is not responding. Actions that advance a rollout are off until it does.",
  };
}
