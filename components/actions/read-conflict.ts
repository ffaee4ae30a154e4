import { isApiError } from "#lib/client/api-error.ts";
import type { ViewChange } from "#lib/contract/problem.ts";
import type { AllowedAction, RolloutDetail } from "#lib/contract/rollout.ts";

/** An action that was refused because its view was stale: what changed, and the view to retry with. */
export type Conflict = {
  detail: string;
  changes: ViewChange[];
  viewDigest: string | undefined;
  uid: string | undefined;
  revisionKey: string | undefined;
  /** The same action in the current state; undefined if the response does not include it. */
  action: AllowedAction | undefined;
};

export function readConflict(error: unknown, actionName: AllowedAction["action"]): Conflict | undefined {
  if (!isApiError(error) || error.code !== "stale_view") return undefined;
  const current = error.problem?.current as Partial<RolloutDetail> | undefined;
  return {
    detail: error.message,
    changes: error.problem?.changes ?? [],
    viewDigest: current?.viewDigest,
    uid: current?.uid,
    revisionKey: current?.revisionKey,
    action: current?.allowedActions?.find(({ action }) => action === actionName),
  };
}
