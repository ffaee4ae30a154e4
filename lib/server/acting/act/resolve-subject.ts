import { providerOfSubject } from "#lib/domain/providers.ts";
import { assertSubjectAction, type FoundSubject } from "#lib/server/acting/act/find-subject.ts";
import type { ActionTarget } from "#lib/server/acting/act/prepare-action.ts";
import { markUnreadable } from "#lib/server/acting/act/resolve-rollout.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import { findRollout } from "#lib/server/people/permission/find-rollout.ts";

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
