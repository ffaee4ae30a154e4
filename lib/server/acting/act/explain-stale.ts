import type { Pool } from "pg";
import type { ViewChange } from "#lib/contract/problem.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";
import { type ActionGate, judgeActions } from "#lib/domain/acting/judge-actions.ts";
import { isDeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import type { DeliveryObject } from "#lib/domain/delivery/provider.ts";
import { rolloutIdOf } from "#lib/domain/delivery/rollout-id.ts";
import type { ActionAttempt, Refusal } from "#lib/server/acting/act/action-attempt.ts";
import type { ActionTarget, Refused } from "#lib/server/acting/act/prepare-action.ts";
import { readActionGate } from "#lib/server/acting/permission/action-gate.ts";
import { judgeAtCluster } from "#lib/server/acting/permission/judge-at-cluster.ts";
import { readAllRelatedState } from "#lib/server/clusters/sources/read-related-state.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";

/** Adds the changes and the current rollout to the refusal of an outdated view, judged as on the page. */
export async function explainStale({
  attempt: { ctx, path, request },
  target,
  refused: { code, message, stale, change, policy },
}: {
  attempt: ActionAttempt;
  target: ActionTarget;
  refused: Refused;
}): Promise<Refusal> {
  if (stale === undefined || target.rollout === undefined) return { code, message, policy };
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

/**
 * Returns the facts that a refused person needs to decide again: the changes, and the rollout as it is in the cluster.
 */
async function describeStaleView({
  pool,
  path,
  seenDigest,
  rollout,
  gate,
}: {
  pool: Pool;
  path: ObjectRef;
  seenDigest: string;
  rollout: DeliveryObject;
  gate: ActionGate;
}): Promise<{ changes: ViewChange[]; current: Record<string, unknown> & { allowedActions: AllowedAction[] } }> {
  const { metadata, acting } = rollout;
  const { view, step, stepCount } = acting.describeDecision();
  const { workloads } = rollout;
  const related = await readAllRelatedState(pool, {
    ...path,
    id: rolloutIdOf({ ...path, uid: metadata.uid }),
    workloads,
  });
  const { phase, message } = rollout.summarize(related);
  return {
    changes: acting.diffSeen(await findSeenView({ pool, path, seenDigest })),
    current: {
      id: `${path.cluster}/${path.namespace}/${path.kind}/${path.name}`,
      uid: metadata.uid,
      revisionKey: rollout.runKey,
      viewDigest: rollout.viewDigest,
      phase,
      message: rollout.redact(message),
      step,
      stepCount,
      view,
      allowedActions: judgeActions(acting.offer({ now: gate.permit.now, related }), gate),
    },
  };
}

/**
 * Finds the projection of the view that the person saw, by its digest among the observations of this address. Returns
 * undefined if no observation has that digest.
 */
async function findSeenView({
  pool,
  path: { cluster, namespace, kind, name },
  seenDigest,
}: {
  pool: Pool;
  path: ObjectRef;
  seenDigest: string;
}): Promise<unknown> {
  if (!isDeliveryKind(kind) || !/^[0-9a-f]{64}$/.test(seenDigest)) return undefined;
  const row = await prismaOn(pool).observation.findFirst({
    where: { viewDigest: seenDigest, rollout: { cluster, namespace, kind, name } },
    orderBy: { id: "desc" },
    select: { projection: true },
  });
  return row?.projection;
}
