import type { ActionPlanAnswer, ActionPlanRequest } from "#lib/contract/action.ts";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import { type ActionSubject, readActionParams } from "#lib/domain/acting/action-params.ts";
import { judgeAction } from "#lib/domain/acting/judge-actions.ts";
import type { PlannedAccess } from "#lib/domain/acting/plan.ts";
import { findSubject, resolveSubject } from "#lib/server/acting/act/find-subject.ts";
import { type ActionTarget, reachCluster, readAndPlan } from "#lib/server/acting/act/prepare-action.ts";
import { resolveRollout } from "#lib/server/acting/act/resolve-rollout.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import { readGate } from "#lib/server/acting/permission/action-gate.ts";
import { judgeAtCluster } from "#lib/server/acting/permission/judge-at-cluster.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";

/**
 * Returns the plan of an action, made now from the live object, read as the caller. Nothing is changed or audited. For
 * a pod template, only names and images are shown.
 */
export async function planRolloutAction({
  ctx,
  input,
}: {
  ctx: ActingContext;
  input: RolloutPath & ActionPlanRequest;
}): Promise<ActionPlanAnswer> {
  const { cluster, namespace, kind, name, action } = input;
  const path = { cluster, namespace, kind, name };
  return previewAction(ctx, await resolveRollout(ctx, { path, action, params: readActionParams(input) }));
}

/** Does the same for a run or an Experiment. */
export async function planSubjectPreview({
  ctx,
  kind,
  input,
}: {
  ctx: ActingContext;
  kind: ActionSubject["kind"];
  input: { uid: string } & ActionPlanRequest;
}): Promise<ActionPlanAnswer> {
  const found = await findSubject(ctx, { kind, uid: input.uid });
  return previewAction(ctx, await resolveSubject(ctx, { found, action: input.action }));
}

async function previewAction(ctx: ActingContext, target: ActionTarget): Promise<ActionPlanAnswer> {
  const { action, place } = target;
  const requested = target.toRequestedAction(await reachCluster(ctx, place.cluster));
  const view = await readAndPlan(requested);
  if ("outcome" in view) throw new ServiceError(view.code, view.message);
  const { gate } = await readGate(ctx, target);
  const { plan, rollout, choices } = view;
  const offered: ActionPlanAnswer = {
    ...judgeAction({ action, plan }, gate),
    ...choices,
    view:
      rollout === undefined
        ? null
        : { viewDigest: rollout.viewDigest, uid: rollout.metadata.uid, revisionKey: rollout.runKey },
  };
  const patched = plan.kind === "refused" ? undefined : plan.target;
  const { acting } = requested.provider;
  const listAccess = (planned: PlannedAccess) => {
    if (rollout !== undefined) return rollout.acting.listAccess(planned, patched);
    return patched === undefined ? [] : acting.listTargetAccess(patched, place.namespace);
  };
  const [judged = offered] = await judgeAtCluster({ ctx, cluster: place.cluster, listAccess, actions: [offered] });
  return judged;
}
