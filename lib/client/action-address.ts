import { experimentHref, rolloutApiPath, rolloutHref, runHref } from "#lib/client/rollout-path.ts";
import type { ActionSubject } from "#lib/contract/action.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

/** The target of an action: a rollout, or a run or an Experiment, which may belong to a rollout. */
export type ActionAddress = ObjectRef & { subject?: ActionSubject | undefined };

/** Returns the API path of its actions and plans. */
export function actionApiPath({ subject, ...rollout }: ActionAddress): string {
  return subject === undefined ? rolloutApiPath(rollout) : `/api/v1${actionHref({ subject, ...rollout })}`;
}

/** Returns the path of its page. */
export function actionHref({ subject, ...rollout }: ActionAddress): string {
  if (subject === undefined) return rolloutHref(rollout);
  return subject.kind === "Experiment" ? experimentHref(subject.uid) : runHref(subject.uid);
}
