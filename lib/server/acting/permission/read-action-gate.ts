import type { ActionGate } from "#lib/domain/acting/judge-actions.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import { makeGate } from "#lib/server/acting/permission/make-gate.ts";
import { readRolloutSource } from "#lib/server/clusters/sources/source-freshness.ts";
import type { FullRolloutRow } from "#lib/server/people/permission/find-rollout.ts";
import { findOpenAction } from "#lib/server/records/action-store.ts";

/** The place of a requested action. */
export type GatePlace = {
  place: ObjectRef;
  rolloutId: string;
  /** Undefined for a run or an Experiment that no rollout owns. */
  rollout: FullRolloutRow | undefined;
  uid: string;
  /** The kind whose watch covers it. */
  watchedKind: string;
};

type RolloutSource = NonNullable<Awaited<ReturnType<typeof readRolloutSource>>>;

/** Reads the current gate for the actions at a place, and the source that it is based on. */
export async function readGate(
  ctx: ActingContext,
  { place, rolloutId, rollout, uid, watchedKind }: GatePlace,
): Promise<{ gate: ActionGate; source: RolloutSource | undefined }> {
  const { runtime } = ctx;
  const { cluster, namespace } = place;
  const [source, unresolvedAction] = await Promise.all([
    readRolloutSource(runtime, { cluster, namespace, kind: watchedKind, uid }),
    findOpenAction({ client: runtime.pool, rolloutId }),
  ]);
  return {
    gate: makeGate(ctx, {
      place,
      rollout,
      source,
      isHeld: source?.is_held,
      unresolvedAction,
    }),
    source,
  };
}

/** The same for a recorded rollout. */
export function readActionGate({ ctx, row }: { ctx: ActingContext; row: FullRolloutRow }): ReturnType<typeof readGate> {
  return readGate(ctx, { place: row, rolloutId: row.id, rollout: row, uid: row.uid, watchedKind: row.kind });
}
