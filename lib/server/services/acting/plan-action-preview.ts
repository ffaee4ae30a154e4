import type { ActionPlanAnswer, ActionPlanRequest } from "#lib/contract/action.ts";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import type { ActionName } from "#lib/domain/acting/action-catalogue.ts";
import { type ActionSubject, readActionParams } from "#lib/domain/acting/action-params.ts";
import { type ActionGate, judgeAction } from "#lib/domain/acting/judge-actions.ts";
import { readImages } from "#lib/domain/argo/objects/template-images.ts";
import { choiceOf, listRevisions } from "#lib/domain/argo/plan/plan-revisions.ts";
import { findTemplate } from "#lib/domain/argo/plan/plan-template.ts";
import { computeViewDigest } from "#lib/domain/argo/view/view-digest.ts";
import type { ActionPlace } from "#lib/server/acting/action-place.ts";
import { findOpenAction } from "#lib/server/acting/action-store.ts";
import { makeClusterIdentity } from "#lib/server/acting/cluster-identity.ts";
import { type LiveView, readAndPlan, type Wish } from "#lib/server/acting/prepare-action.ts";
import { assertPlannable } from "#lib/server/services/acting/act-on-rollout.ts";
import { assertSubjectAction, findOwner, findSubject, wishOf } from "#lib/server/services/acting/find-subject.ts";
import { judgeAtCluster } from "#lib/server/services/acting/judge-at-cluster.ts";
import type { RecordedTarget } from "#lib/server/services/acting/pass-gates.ts";
import { permitOf } from "#lib/server/services/acting/permit-of.ts";
import { explainAbsence, findRollout } from "#lib/server/services/rollouts/find-rollout.ts";
import { quarantineBlock } from "#lib/server/services/rollouts/rollout-row.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";
import { ServiceError } from "#lib/server/services/service-error.ts";
import {
  explainOtherCluster,
  explainStaleness,
  readRolloutSource,
} from "#lib/server/services/system/source-freshness.ts";

type Target = Omit<RecordedTarget, "uid"> & { uid: string; path: ActionPlace; action: ActionName };

/**
 * What an action would do if it were asked for now: planned from the live object, read as the caller. Nothing is
 * changed and nothing audited. Of a pod template names and images are shown alone.
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
  return planTarget(ctx, {
    action,
    path,
    rolloutId: row.id,
    rollout: row,
    uid: row.uid,
    watchedKind: kind,
    makeWish: (at) => ({ of: "rollout", ...at, action, address: path, params, images: row.images }),
  });
}

/** The same for a run or an Experiment. */
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
    watchedKind: rollout === undefined ? kind : "Rollout",
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
  const gate = await readGate({ ctx, target, access: cluster.access });
  const { plan, rollout } = view;
  const offered: ActionPlanAnswer = {
    ...judgeAction({ action, plan }, gate),
    ...choicesOf(wish, view),
    view:
      rollout === undefined
        ? null
        : {
            viewDigest: computeViewDigest(rollout),
            uid: rollout.metadata.uid,
            revisionKey: rollout.status.currentPodHash,
          },
  };
  const place = {
    cluster: path.cluster,
    namespace: path.namespace,
    name: rollout?.metadata.name,
    workloadRef: rollout?.spec.workloadRef,
    target: plan.kind === "refused" ? undefined : plan.target,
  };
  const [judged = offered] = await judgeAtCluster({ ctx, place, actions: [offered] });
  return judged;
}

/** What a person can choose from, as it is in the cluster now. */
function choicesOf(
  { action }: Pick<Wish, "action">,
  { rollout, live }: LiveView,
): Pick<ActionPlanAnswer, "revisions" | "containers"> {
  if (rollout === undefined || live === undefined) return {};
  if (action === "undo")
    return {
      revisions: listRevisions({ rollout, replicaSets: live.replicaSets }).map((revision) =>
        choiceOf({ rollout, revision: revision.revision, podHash: revision.podHash, images: revision.images }),
      ),
    };
  const source = findTemplate({ rollout, live });
  return { containers: "kind" in source ? [] : readImages(source.template) };
}

async function readGate({
  ctx,
  target: { path, rolloutId, rollout, uid, watchedKind },
  access,
}: {
  ctx: ServiceContext;
  target: Target;
  access: "read" | "act";
}): Promise<ActionGate> {
  const { runtime } = ctx;
  const { cluster, namespace } = path;
  const [source, unresolvedAction] = await Promise.all([
    readRolloutSource(runtime, { cluster, namespace, kind: watchedKind, uid }),
    findOpenAction({ client: runtime.pool, rolloutId }),
  ]);
  const obstacle =
    explainStaleness(source, source?.is_held) ?? (rollout === undefined ? null : explainAbsence(rollout));
  const otherCluster = explainOtherCluster(source);
  const blocked =
    rollout?.is_quarantined === true
      ? quarantineBlock
      : otherCluster === undefined
        ? undefined
        : { reasonCode: "source_stale", reason: otherCluster };
  return {
    permit: permitOf(ctx, path, runtime.now()),
    access,
    source: { fresh: obstacle === null, reason: obstacle },
    unresolvedAction,
    configError: runtime.configStatus().state === "error",
    blocked,
  };
}
