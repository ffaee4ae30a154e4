import type { ActionAttempt, Refusal } from "#lib/server/acting/act/action-attempt.ts";
import { describeStaleView } from "#lib/server/acting/act/describe-stale-view.ts";
import type { ActionTarget, Refused } from "#lib/server/acting/act/prepare-action.ts";
import { judgeAtCluster } from "#lib/server/acting/permission/judge-at-cluster.ts";
import { readActionGate } from "#lib/server/acting/permission/read-action-gate.ts";

/** Adds the changes and the current rollout to the refusal of an outdated view, judged as on the page. */
export async function explainStale({
  attempt: { ctx, path, request },
  target,
  refused: { code, message, stale, change },
}: {
  attempt: ActionAttempt;
  target: ActionTarget;
  refused: Refused;
}): Promise<Refusal> {
  if (stale === undefined || target.rollout === undefined) return { code, message };
  const { gate } = await readActionGate({ ctx, row: target.rollout });
  const { changes, current } = await describeStaleView({
    pool: ctx.runtime.pool,
    path,
    seenDigest: request.expect.viewDigest,
    rollout: stale,
    gate,
  });
  const { listAccess } = stale.acting;
  const actions = current.allowedActions;
  const allowedActions = await judgeAtCluster({ ctx, cluster: path.cluster, listAccess, actions });
  return {
    code,
    message,
    extra: {
      changes: change === undefined ? changes : [...changes, change],
      current: { ...current, allowedActions },
    },
  };
}
