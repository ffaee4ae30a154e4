import type { ActionSubject } from "#lib/contract/action.ts";
import type { AllowedAction, RolloutSummary } from "#lib/contract/rollout.ts";
import { entryOf } from "#lib/domain/acting/action-catalogue.ts";

export type NamedSubject = ActionSubject & { name: string };

/**
 * The rollout that an action is asked for, as the person sees it: the action is bound to these. With a subject it is
 * asked for of that run or Experiment, and guarded by the rollout that owns it; where none does, by the subject's uid.
 */
export type ActTarget = Pick<RolloutSummary, "id" | "cluster" | "namespace" | "name" | "viewDigest" | "uid"> & {
  kind: string;
  revisionKey?: string | undefined;
  subject?: NamedSubject | undefined;
} & Partial<Pick<RolloutSummary, "step" | "phase" | "attention" | "updatedAt">>;

/** What the person calls the thing that the action is done to. */
export function nameOf({ name, subject }: Pick<ActTarget, "name" | "subject">): string {
  return subject?.name ?? name;
}

export type ArrangedActions = {
  /** What the present state asks for: first, as buttons. A guard in front of it, such as a freeze, greys it. */
  answers: AllowedAction[];
  /** Abort is always in the same place, away from the others. */
  apart: AllowedAction[];
  /** In the menu, each that is off with its reason. */
  more: AllowedAction[];
};

/** Where each action stands. Only what the state has a plan for says its effect: that is what answers the state. */
export function arrangeActions(actions: readonly AllowedAction[]): ArrangedActions {
  const isAnswer = ({ action, effect }: AllowedAction) => entryOf(action).answers !== undefined && effect !== undefined;
  return {
    answers: actions.filter(isAnswer),
    apart: actions.filter(({ action }) => action === "abort"),
    more: actions.filter((action) => action.action !== "abort" && !isAnswer(action)),
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
