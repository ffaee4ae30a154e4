import type { ActionPlanAnswer, ActionPlanRequest } from "#lib/contract/action.ts";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import type { PlannedAccess } from "#lib/domain/acting/access.ts";
import type { ActionName } from "#lib/domain/acting/action-catalogue.ts";
import { type ActionSubject, readActionParams } from "#lib/domain/acting/action-params.ts";
import { judgeAction } from "#lib/domain/acting/judge-actions.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { makeClusterIdentity } from "#lib/server/acting/cluster-identity.ts";
import { readAndPlan } from "#lib/server/acting/prepare-action.ts";
import { ServiceError } from "#lib/server/actor/service-error.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { assertPlannable } from "#lib/server/services/acting/act-on-rollout.ts";
import { assertSubjectAction, findOwner, findSubject, wishOf } from "#lib/server/services/acting/find-subject.ts";
import { judgeAtCluster } from "#lib/server/services/acting/judge-at-cluster.ts";
import type { RecordedTarget } from "#lib/server/services/acting/pass-gates.ts";
import { findRollout } from "#lib/server/services/rollouts/find-rollout.ts";
import { readGate } from "#lib/server/services/rollouts/read-action-gate.ts";

type Target = Omit<RecordedTarget, "uid"> & { uid: string; path: ObjectRef; action: ActionName };

/**
 * Returns what an action would do now, planned from the live object, read as the caller. Nothing is changed or audited.
 * Of a pod template only names and images are shown.
 */
export async function planRolloutAction({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: RolloutPath & ActionPlanRequest;
}): Promise<ActionPlanAnswer> {
  const action = assertPlannable(input);
  const row = await findRollout(ctx, input);
  const { cluster, namespace, kind, name } = input;
  const path = { cluster, namespace, kind, name };
  const params = readActionParams(input);
  const provider = providerOfKind(kind);
  return planTarget(ctx, {
    action,
    path,
    rolloutId: row.id,
    rollout: row,
    uid: row.uid,
    watchedKind: kind,
    makeWish: (at) => ({ of: "rollout", ...at, provider, action, address: path, params, images: row.images }),
  });
}

/** Does the same for a run or an Experiment. */
export async function planSubjectPreview({
  ctx,
  kind,
  input,
}: {
  ctx: ServiceContext;
  kind: ActionSubject["kind"];
  input: { uid: string } & ActionPlanRequest;
}): Promise<ActionPlanAnswer> {
  const found = await findSubject(ctx, { kind, uid: input.uid });
  const action = assertSubjectAction(input.action, found.subject);
  const rollout = await findOwner(ctx, found);
  return planTarget(ctx, {
    action,
    path: found.path,
    rolloutId: found.rolloutId,
    rollout,
    uid: rollout?.uid ?? found.subject.uid,
    watchedKind: rollout?.kind ?? kind,
    makeWish: (at) => wishOf({ found, action, at }),
  });
}

async function planTarget(ctx: ServiceContext, target: Target): Promise<ActionPlanAnswer> {
  const { runtime, actor } = ctx;
  const { action, path } = target;
  const cluster = runtime.config().config.clusters.find(({ name }) => name === path.cluster);
  const client = runtime.cluster(path.cluster);
  if (cluster === undefined || client === undefined)
    throw new ServiceError("read_only", `The config does not name cluster ${path.cluster} any more.`);
  const as = makeClusterIdentity({ actor, cluster });
  const wish = target.makeWish({ client, as, now: runtime.now });
  const view = await readAndPlan(wish);
  if ("outcome" in view) throw new ServiceError(view.code, view.message);
  const { gate } = await readGate(ctx, { ...target, place: path });
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
  const { acting } = wish.provider;
  const listAccess = (planned: PlannedAccess) => {
    if (rollout !== undefined) return rollout.acting.listAccess(planned, patched);
    return patched === undefined ? [] : acting.listTargetAccess(patched, path.namespace);
  };
  const [judged = offered] = await judgeAtCluster({ ctx, cluster: path.cluster, listAccess, actions: [offered] });
  return judged;
}
