import type { Pool } from "pg";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { isRolloutKind } from "#lib/domain/providers.ts";
import { type ChangeCursor, readChangeLogState, readChanges } from "#lib/server/platform/db/change-log.ts";
import { type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { isAtAnyPlace } from "#lib/server/records/rollout-row.ts";

/** The place from which the search resumes. Kept only in the process: changes before its start never cause a hold. */
export type HoldPlace = { cursor: ChangeCursor | undefined };

const selectRollouts = tables
  .selectFrom("rollout as r")
  .innerJoinLateral(
    ({ selectFrom }) =>
      selectFrom("observation as o")
        .select(["o.observed_at", "o.resource_version", "o.writer", "o.provider", "o.projection"])
        .whereRef("o.rollout_id", "=", "r.id")
        .where("o.provider", "<>", "")
        .orderBy("o.id", "desc")
        .limit(1)
        .as("newest"),
    (join) => join.onTrue(),
  )
  .select(["r.id", "r.uid", "r.cluster", "r.namespace", "r.kind", "r.name", "r.view_digest"])
  .selectAll("newest")
  .where("r.presence", "=", "live");

export type ChangedRollout = RowOf<typeof selectRollouts>;

/** A rollout that is to be paused, as it was seen. */
export type HeldRollout = Pick<
  ChangedRollout,
  "id" | "uid" | "cluster" | "namespace" | "kind" | "name" | "view_digest"
>;

/** Reads rollouts again, with their newest observations. */
export async function readRolloutsAgain(pool: Pool, ids: readonly string[]): Promise<ChangedRollout[]> {
  return ids.length === 0 ? [] : readRows(pool, selectRollouts.where("r.id", "in", ids));
}

/**
 * Reads the rollouts that have changed since the last call, with their newest observations; none at the first call.
 * `hasPending`: rows are committed that cannot be read yet. Call `advance` once they are judged: until then the same
 * changes are read again.
 */
export async function readChangedRollouts({
  pool,
  place,
  isWanted,
}: {
  pool: Pool;
  place: HoldPlace;
  isWanted: (target: ObjectRef) => boolean;
}): Promise<{ rows: ChangedRollout[]; hasPending: boolean; advance: () => void }> {
  if (place.cursor === undefined) {
    place.cursor = (await readChangeLogState(pool)).end;
    return { rows: [], hasPending: false, advance: () => undefined };
  }
  const batch = await readChanges({ pool, after: place.cursor });
  const next = batch.cursor.xid > batch.next ? undefined : batch.cursor;
  const changed = batch.changes.flatMap(({ event, place: at }) => {
    const { cluster, namespace, kind, name } = at;
    if (event.kind !== "rollout" || cluster === null || namespace === null || kind === null || name === null) return [];
    const target = { cluster, namespace, kind, name };
    return isRolloutKind(kind) && isWanted(target) ? [target] : [];
  });
  return {
    rows: changed.length === 0 ? [] : await readRows(pool, selectRollouts.where(isAtAnyPlace(changed))),
    hasPending: batch.hasPending || batch.isFull,
    advance: () => {
      place.cursor = next;
    },
  };
}
