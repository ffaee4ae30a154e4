import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { findBarrierHold, type WantedBarrierHold } from "#lib/domain/oversight/find-barrier-hold.ts";
import { isInScope } from "#lib/domain/policy/rights.ts";
import { actOnRollout } from "#lib/server/acting/act/act-on-rollout.ts";
import { type BarrierOf, readBarriers } from "#lib/server/acting/permission/read-barriers.ts";
import { isApplied, isSourceLive, passing, systemActor } from "#lib/server/holds/act-as-gatehouse.ts";
import { keyOf } from "#lib/server/holds/place-with-retries.ts";
import {
  type ChangedRollout,
  type HeldRollout,
  type HoldPlace,
  readChangedRollouts,
  readRolloutsAgain,
} from "#lib/server/holds/read-changed-rollouts.ts";
import { barrierHoldKey } from "#lib/server/holds/settle-barrier-holds.ts";
import { isServiceError } from "#lib/server/platform/actor/service-error.ts";
import { clockTime, readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRow } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { readRecorded } from "#lib/server/records/observation-row.ts";

export type BarrierHoldToPlace = { rollout: HeldRollout; wanted: WantedBarrierHold };

/**
 * Finds the rollouts that have changed since the last call and are at a timed pause that other members of a set have not
 * reached. `hasPending`: rows are committed that cannot be read yet.
 */
export async function findBarrierHolds({
  runtime,
  place,
}: {
  runtime: Pick<Runtime, "config" | "pool">;
  place: HoldPlace;
}): Promise<{ holds: BarrierHoldToPlace[]; hasPending: boolean }> {
  const { pool } = runtime;
  const sets = runtime.config().config.sets.filter(({ together }) => together);
  if (sets.length === 0) {
    place.cursor = undefined;
    return { holds: [], hasPending: false };
  }
  const { rows, hasPending, advance } = await readChangedRollouts({
    pool,
    place,
    isWanted: (target) => sets.some((set) => isInScope(set, target)),
  });
  const now = (await readDatabaseTime(pool)).getTime();
  const timed = listTimed(rows).map(({ rollout }) => rollout);
  const holds = judge(timed, await readBarriers({ runtime }, timed), () => now);
  advance();
  return { holds, hasPending };
}

/**
 * Returns those holds that are still called for, by the newest states, and those of which that is not known now, such as
 * after an outage. A state may be older than one that calls for the first hold: that one was fresh.
 */
export async function findHoldsAgain(
  runtime: Pick<Runtime, "config" | "pool">,
  holds: readonly BarrierHoldToPlace[],
): Promise<{ again: BarrierHoldToPlace[]; unknown: BarrierHoldToPlace[] }> {
  const ids = holds.map(({ rollout }) => rollout.id);
  const rows = await readRolloutsAgain(runtime.pool, ids);
  const barrierOf = await readBarriers({ runtime }, rows);
  const isUnknown = new Set(rows.filter((row) => barrierOf(row)?.own.isKnown === false).map(({ id }) => id));
  const wanted = new Set(holds.map(keyOf));
  return {
    again: judge(rows, barrierOf, Date.parse).filter((hold) => wanted.has(keyOf(hold))),
    unknown: holds.filter(({ rollout }) => isUnknown.has(rollout.id)),
  };
}

function listTimed(rows: readonly ChangedRollout[]) {
  return rows.flatMap((rollout) => {
    const last = readRecorded(rollout);
    return last?.state.pauses?.isTimed === true ? [{ rollout, last }] : [];
  });
}

function judge(
  rows: readonly ChangedRollout[],
  barrierOf: BarrierOf,
  nowFor: (observedAt: string) => number,
): BarrierHoldToPlace[] {
  return listTimed(rows).flatMap(({ rollout, last }) => {
    const barrier = barrierOf(rollout);
    const wanted = barrier && findBarrierHold({ last, barrier, now: nowFor(last.observedAt) });
    return wanted === undefined ? [] : [{ rollout, wanted }];
  });
}

/**
 * Pauses a rollout as Gatehouse itself, so that its timed pause does not end before the other members of its set have
 * reached theirs. Once per rollout (uid), version and step: a person who lifts it is not overruled. Only while the
 * rollout's source is live. Resolves with what happened: after `stale` and `delayed` nothing has changed, and it may be
 * tried `again`; after `unsettled` too, once it is known what became of the try before. If it is not known whether the
 * cluster has the pause, `settleBarrierHolds` finds out later, by the key of the request.
 */
export async function placeBarrierHold({
  runtime,
  rollout,
  wanted,
  again = false,
}: BarrierHoldToPlace & { runtime: Runtime; again?: boolean }): Promise<
  "placed" | "refused" | "delayed" | "repeated" | "stale" | "unknown" | "unsettled"
> {
  const { cluster, namespace, kind, name, id } = rollout;
  if (!(await isSourceLive(runtime, rollout))) return "stale";
  const tries = await claim(runtime.pool, id, wanted, again);
  if (tries === undefined) return again && (await isUnsettled(runtime.pool, id, wanted)) ? "unsettled" : "repeated";
  const place = { cluster, namespace, kind, name };
  const ctx = { runtime, actor: systemActor(place, "pause"), requestId: `hold-${randomUUID()}` };
  const expect = { viewDigest: rollout.view_digest, uid: rollout.uid, revisionKey: wanted.runKey };
  try {
    const input = { ...place, action: "pause" as const, reason: `Hold: ${wanted.because}`, expect };
    const accepted = await actOnRollout({
      ctx,
      input,
      idempotencyKey: barrierHoldKey({ rolloutId: id, ...wanted, tries }),
    });
    if (!isApplied(accepted)) return "unknown";
    await finish(runtime.pool, id, wanted, { outcome: "placed", actionId: accepted.id });
    return "placed";
  } catch (error) {
    if (!isServiceError(error)) throw error;
    await finish(runtime.pool, id, wanted, { outcome: "refused", message: error.message });
    return passing.has(error.code) ? "delayed" : "refused";
  }
}

/** Returns the number of this try; undefined if this version was held at this step before. */
async function claim(
  pool: Pool,
  rolloutId: string,
  { runKey, step, set }: WantedBarrierHold,
  again: boolean,
): Promise<number | undefined> {
  const insert = tables
    .insertInto("barrier_hold")
    .values({ rollout_id: rolloutId, run_key: runKey, step, set_name: set })
    .onConflict((conflict) =>
      again
        ? conflict
            .columns(["rollout_id", "run_key", "step"])
            .doUpdateSet(({ eb, ref }) => ({
              ...{ tries: eb(ref("barrier_hold.tries"), "+", 1), wanted_at: clockTime },
              ...{ outcome: null, message: null, settled_at: null },
            }))
            .where("barrier_hold.outcome", "=", "refused")
        : conflict.doNothing(),
    )
    .returning("barrier_hold.tries");
  return (await readRow(pool, insert))?.tries;
}

/** Returns whether it is not known yet, or only since now, that the try before did not place it. */
async function isUnsettled(pool: Pool, rolloutId: string, { runKey, step }: WantedBarrierHold): Promise<boolean> {
  const where = { rolloutId, runKey, step };
  const row = await prismaOn(pool).barrierHold.findFirst({ where, select: { outcome: true } });
  return row?.outcome === null || row?.outcome === "refused";
}

async function finish(
  pool: Pool,
  rolloutId: string,
  { runKey, step }: WantedBarrierHold,
  change: { outcome: "placed" | "refused"; actionId?: string; message?: string },
): Promise<void> {
  await prismaOn(pool).barrierHold.updateMany({
    where: { rolloutId, runKey, step },
    data: { ...change, settledAt: await readDatabaseTime(pool) },
  });
}
