import type { Pool } from "pg";
import { findHold, type WantedHold } from "#lib/domain/oversight/find-hold.ts";
import { type OversightScope, resolveOversight } from "#lib/domain/oversight/scope.ts";
import { isRolloutKind } from "#lib/domain/providers.ts";
import { type ChangeCursor, readChangeLogState, readChanges } from "#lib/server/platform/db/change-log.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { toRecorded } from "#lib/server/recording/history/rollout-state.ts";
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

/** A rollout that is to be paused, as it was seen. */
export type HeldRollout = Pick<
  RowOf<typeof selectRollouts>,
  "id" | "uid" | "cluster" | "namespace" | "kind" | "name" | "view_digest"
>;
export type HoldToPlace = { rollout: HeldRollout; wanted: WantedHold };

/**
 * Finds the rollouts that have changed since the last call and need a hold, in scopes that turn it on. Reads little:
 * the controller may be about to go on. `hasPending`: rows are committed that cannot be read yet.
 */
export async function findWantedHolds({
  pool,
  place,
  scopes,
}: {
  pool: Pool;
  place: HoldPlace;
  scopes: readonly OversightScope[];
}): Promise<{ holds: HoldToPlace[]; hasPending: boolean }> {
  const none = { holds: [], hasPending: false };
  if (!scopes.some(({ hold }) => hold)) {
    place.cursor = undefined;
    return none;
  }
  if (place.cursor === undefined) {
    place.cursor = (await readChangeLogState(pool)).end;
    return none;
  }
  const batch = await readChanges({ pool, after: place.cursor });
  const next = batch.cursor.xid > batch.next ? undefined : batch.cursor;
  const hasPending = batch.hasPending || batch.isFull;
  const changed = batch.changes.flatMap(({ event, place: at }) => {
    const { cluster, namespace, kind, name } = at;
    if (event.kind !== "rollout" || cluster === null || namespace === null || kind === null || name === null) return [];
    const target = { cluster, namespace, kind, name };
    return isRolloutKind(kind) && resolveOversight(scopes, target).hold ? [target] : [];
  });
  const rows = changed.length === 0 ? [] : await readRows(pool, selectRollouts.where(isAtAnyPlace(changed)));
  const holds = await judge(pool, rows);
  // If judging fails, the same changes are read again.
  place.cursor = next;
  return { holds, hasPending };
}

async function judge(pool: Pool, rows: readonly RowOf<typeof selectRollouts>[]): Promise<HoldToPlace[]> {
  const seen = rows.map((row) => ({ rollout: row, last: toRecorded(row) }));
  const names = seen.flatMap(({ last }) =>
    last.state.runs.filter(({ phase }) => phase === "Inconclusive").map(({ name }) => name),
  );
  if (names.length === 0) return [];
  const runs = await prismaOn(pool).analysisRun.findMany({
    where: { rolloutId: { in: rows.map(({ id }) => id) }, name: { in: names } },
    select: { rolloutId: true, name: true, type: true },
  });
  const types = new Map(runs.map(({ rolloutId, name, type }) => [`${rolloutId} ${name}`, type]));
  const now = (await readDatabaseTime(pool)).getTime();
  return seen.flatMap(({ rollout, last }) => {
    const wanted = findHold({ last, typeOf: (name) => types.get(`${rollout.id} ${name}`), now });
    return wanted === undefined ? [] : [{ rollout, wanted }];
  });
}
