import type { Pool } from "pg";
import { type SubjectActionName, subjectActions } from "#lib/domain/acting/action-catalogue.ts";
import type { ActionSubject } from "#lib/domain/acting/action-params.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { rolloutIdOf } from "#lib/domain/delivery/rollout-id.ts";
import { isRolloutKind, providerOfSubject } from "#lib/domain/providers.ts";
import type { ActionTarget } from "#lib/server/acting/act/prepare-action.ts";
import { markUnreadable } from "#lib/server/acting/act/resolve-rollout.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import { findRollout } from "#lib/server/people/permission/find-rollout.ts";
import { assertReadable } from "#lib/server/people/permission/read-scope.ts";
import type { StoreContext } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";

type FoundSubject = {
  subject: ActionSubject;
  /**
   * Path of the rollout that owns it, else of an Experiment that does, else its own. Scopes of rights refer to this
   * path.
   */
  path: ObjectRef;
  namespace: string;
  isOwned: boolean;
  /** Uid of the Experiment that a run belongs to, as recorded. */
  experimentUid: string | undefined;
  rolloutId: string;
};

const subjectFields = {
  name: true,
  cluster: true,
  namespace: true,
  rolloutId: true,
  ownerKind: true,
  ownerName: true,
} as const;

/**
 * Finds a run or an Experiment with the path that rights apply to. Throws `not_found`, even if it exists but the actor
 * may not see it. Throws `source_stale` while it is unknown whether a rollout owns it: that rollout's guards would be
 * skipped.
 */
export async function findSubject(
  { runtime, actor }: StoreContext,
  { kind, uid }: Pick<ActionSubject, "kind" | "uid">,
): Promise<FoundSubject> {
  const prisma = prismaOn(runtime.pool);
  const isRun = kind === "AnalysisRun";
  // A run that was derived from messages is no object.
  const run = isRun
    ? await prisma.analysisRun.findFirst({ where: { uid, kind }, select: { ...subjectFields, ownerUid: true } })
    : null;
  const row = isRun ? run : await prisma.experiment.findFirst({ where: { uid }, select: subjectFields });
  const missing = `There is no ${isRun ? "analysis run" : "Experiment"} ${uid}.`;
  if (row === null) throw new ServiceError("not_found", missing);
  const { cluster, namespace, name, rolloutId, ownerKind, ownerName } = row;
  const rollout =
    rolloutId === null
      ? null
      : await prisma.rollout.findFirst({ where: { id: rolloutId }, select: { kind: true, name: true } });
  const path = {
    ...{ cluster, namespace },
    kind: rollout?.kind ?? ownerKind ?? kind,
    name: rollout?.name ?? ownerName ?? name,
  };
  assertReadable(actor.rights, path, missing);
  const experimentUid = run?.ownerKind === "Experiment" ? run.ownerUid : undefined;
  if (rollout === null && !(await isTop(runtime.pool, { ownerKind, experimentUid })))
    throw new ServiceError("source_stale", "The recorder has not seen the rollout that owns it yet.");
  return {
    subject: { kind, name, uid },
    path,
    namespace,
    isOwned: rollout !== null,
    experimentUid: experimentUid ?? undefined,
    rolloutId: rolloutId ?? rolloutIdOf({ cluster, namespace, kind, name, uid }),
  };
}

/** Returns whether certainly no rollout owns it: the Experiment that owns a run must be recorded, and not be owned. */
async function isTop(
  pool: Pool,
  { ownerKind, experimentUid }: { ownerKind: string | null; experimentUid: string | null | undefined },
): Promise<boolean> {
  if (experimentUid === undefined) return !isRolloutKind(ownerKind);
  if (experimentUid === null) return false;
  const owner = await prismaOn(pool).experiment.findFirst({
    where: { uid: experimentUid },
    select: { ownerKind: true },
  });
  return owner !== null && !isRolloutKind(owner.ownerKind);
}

/** Throws `not_allowed_now` for actions that do not apply to it. */
export function assertSubjectAction(asked: string, { kind }: Pick<ActionSubject, "kind">): SubjectActionName {
  const action = subjectActions.find((name) => name === asked);
  if (action === undefined || (action === "retry" && kind !== "Experiment"))
    throw new ServiceError("not_allowed_now", `Action ${asked} on a ${kind} is not offered by this version.`);
  return action;
}

/** Resolves a run or an Experiment that was found, and the rollout that owns it. Throws as `resolveRollout` does. */
export async function resolveSubject(
  ctx: ActingContext,
  { found, action: asked }: { found: FoundSubject; action: string },
): Promise<ActionTarget> {
  const { path, namespace, isOwned, subject, experimentUid } = found;
  const action = assertSubjectAction(asked, subject);
  const rollout = isOwned ? markUnreadable(await findRollout(ctx, path)) : undefined;
  const provider = providerOfSubject(subject.kind);
  const address = isOwned ? { namespace: path.namespace, name: path.name } : undefined;
  return {
    action,
    place: path,
    rolloutId: found.rolloutId,
    rollout,
    uid: rollout?.uid ?? subject.uid,
    watchedKind: rollout?.kind ?? subject.kind,
    toRequestedAction: (at) => ({ of: "subject", ...at, provider, action, address, namespace, subject, experimentUid }),
  };
}
