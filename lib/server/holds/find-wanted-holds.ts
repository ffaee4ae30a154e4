import type { Pool } from "pg";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { findHold, type WantedHold } from "#lib/domain/oversight/find-hold.ts";
import { type OversightScope, resolveOversight } from "#lib/domain/oversight/scope.ts";
import { keyOf } from "#lib/server/holds/place-with-retries.ts";
import {
  type ChangedRollout,
  type HeldRollout,
  type HoldPlace,
  readChangedRollouts,
  readRolloutsAgain,
} from "#lib/server/holds/read-changed-rollouts.ts";
import { settleHolds } from "#lib/server/holds/settle-holds.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRecorded } from "#lib/server/records/observation-row.ts";

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
  const now = (await readDatabaseTime(pool)).getTime();
  const holds = await judge(pool, rows, () => now);
  advance();
  return { holds, hasPending };
}

/**
 * Returns those holds that are still called for, by the newest states, and those of which that is not known now. A state
 * may be older than one that calls for the first hold: that one was fresh.
 */
export async function findWantedAgain({
  pool,
  scopes,
  holds,
}: {
  pool: Pool;
  scopes: readonly OversightScope[];
  holds: readonly HoldToPlace[];
}): Promise<{ again: HoldToPlace[]; unknown: HoldToPlace[] }> {
  const ids = holds.map(({ rollout }) => rollout.id);
  const { open } = await settleHolds(pool, ids);
  const rows = (await readRolloutsAgain(pool, ids)).filter((row) => resolveOversight(scopes, row).hold);
  const unreadable = rows.filter((row) => readRecorded(row) === undefined);
  const isUnknown = new Set([...unreadable.map(({ id }) => id), ...open.map(({ rolloutId }) => rolloutId)]);
  const wanted = new Set(holds.map(keyOf));
  const found = await judge(pool, rows, Date.parse);
  return {
    again: found.filter((hold) => wanted.has(keyOf(hold)) && !isUnknown.has(hold.rollout.id)),
    unknown: holds.filter(({ rollout }) => isUnknown.has(rollout.id)),
  };
}

async function judge(
  pool: Pool,
  rows: readonly ChangedRollout[],
  nowFor: (observedAt: string) => number,
): Promise<HoldToPlace[]> {
  const seen = rows.flatMap((rollout) => {
    const last = readRecorded(rollout);
    return last === undefined ? [] : [{ rollout, last }];
  });
  const names = seen.flatMap(({ last }) =>
    last.state.runs.filter(({ phase }) => phase === "Inconclusive").map(({ name }) => name),
  );
  if (names.length === 0) return [];
  const runs = await prismaOn(pool).analysisRun.findMany({
    where: { rolloutId: { in: rows.map(({ id }) => id) }, name: { in: names } },
    select: { rolloutId: true, name: true, type: true },
  });
  const types = new Map(runs.map(({ rolloutId, name, type }) => [`${rolloutId} ${name}`, type]));
  return seen.flatMap(({ rollout, last }) => {
    const typeOf = (name: string) => types.get(`${rollout.id} ${name}`);
    const wanted = findHold({ last, typeOf, now: nowFor(last.observedAt) });
    return wanted === undefined ? [] : [{ rollout, wanted }];
  });
}
