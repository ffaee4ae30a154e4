import type { Pool } from "pg";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { findHold, type WantedHold } from "#lib/domain/oversight/find-hold.ts";
import { type OversightScope, resolveOversight } from "#lib/domain/oversight/scope.ts";
import {
  type ChangedRollout,
  type HeldRollout,
  type HoldPlace,
  readChangedRollouts,
} from "#lib/server/holds/read-changed-rollouts.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { toRecorded } from "#lib/server/records/observation-row.ts";

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
  const isWanted = (target: ObjectRef) => resolveOversight(scopes, target).hold;
  const { rows, hasPending, advance } = await readChangedRollouts({ pool, place, isWanted });
  const holds = await judge(pool, rows);
  advance();
  return { holds, hasPending };
}

async function judge(pool: Pool, rows: readonly ChangedRollout[]): Promise<HoldToPlace[]> {
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
