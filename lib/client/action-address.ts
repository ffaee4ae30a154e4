import { experimentHref, rolloutApiPath, rolloutHref, runHref } from "#lib/client/rollout-path.ts";
import type { ActionSubject } from "#lib/contract/action.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

/** What is acted on: a rollout, or a run or an Experiment, which may belong to one. */
export type ActionAddress = ObjectRef & { subject?: ActionSubject | undefined };

/** Where its actions and its plans are asked for. */
export function actionApiPath({ subject, ...rollout }: ActionAddress): string {
  return subject === undefined ? rolloutApiPath(rollout) : `/api/v1${actionHref({ subject, ...rollout })}`;
}

/** Its page. */
export function actionHref({ subject, ...rollout }: ActionAddress): string {
  if (subject === undefined) return rolloutHref(rollout);
  return subject.kind === "Experiment" ? experimentHref(subject.uid) : runHref(subject.uid);
}
