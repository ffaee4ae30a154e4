import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { findBarrierHold, type WantedBarrierHold } from "#lib/domain/oversight/find-barrier-hold.ts";
import { isInScope } from "#lib/domain/policy/rights.ts";
import { actOnRollout } from "#lib/server/acting/act/act-on-rollout.ts";
import { readBarriers } from "#lib/server/acting/permission/read-barriers.ts";
import { isApplied, isSourceLive, systemActor } from "#lib/server/holds/act-as-gatehouse.ts";
import { type HeldRollout, type HoldPlace, readChangedRollouts } from "#lib/server/holds/read-changed-rollouts.ts";
import { barrierHoldKey } from "#lib/server/holds/settle-barrier-holds.ts";
import { isServiceError } from "#lib/server/platform/actor/service-error.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { toRecorded } from "#lib/server/records/observation-row.ts";

type BarrierHoldToPlace = { rollout: HeldRollout; wanted: WantedBarrierHold };

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
  const timed = rows
    .map((rollout) => ({ rollout, last: toRecorded(rollout) }))
    .filter(({ last }) => last.state.pauses?.isTimed === true);
  const holds: BarrierHoldToPlace[] = [];
  if (timed.length > 0) {
    const now = (await readDatabaseTime(pool)).getTime();
    const barrierOf = await readBarriers(
      { runtime },
      timed.map(({ rollout }) => rollout),
    );
    for (const { rollout, last } of timed) {
      const barrier = barrierOf(rollout);
      const wanted = barrier && findBarrierHold({ last, barrier, now });
      if (wanted !== undefined) holds.push({ rollout, wanted });
    }
  }
  advance();
  return { holds, hasPending };
}

/**
 * Pauses a rollout as Gatehouse itself, so that its timed pause does not end before the other members of its set have
 * reached theirs. Once per rollout (uid), version and step: a person who lifts it is not overruled. Only while the
 * rollout's source is live. Resolves with what happened. If it is not known whether the cluster has the pause,
 * `settleBarrierHolds` finds out later, by the key of the request.
 */
export async function placeBarrierHold({
  runtime,
  rollout,
  wanted,
}: BarrierHoldToPlace & { runtime: Runtime }): Promise<"placed" | "refused" | "repeated" | "stale" | "unknown"> {
  const { cluster, namespace, kind, name, id } = rollout;
  if (!(await isSourceLive(runtime, rollout))) return "stale";
  if (!(await claim(runtime.pool, id, wanted))) return "repeated";
  const place = { cluster, namespace, kind, name };
  const ctx = { runtime, actor: systemActor(place, "pause"), requestId: `hold-${randomUUID()}` };
  const expect = { viewDigest: rollout.view_digest, uid: rollout.uid, revisionKey: wanted.runKey };
  try {
    const input = { ...place, action: "pause" as const, reason: `Hold: ${wanted.because}`, expect };
    const accepted = await actOnRollout({ ctx, input, idempotencyKey: barrierHoldKey({ rolloutId: id, ...wanted }) });
    if (!isApplied(accepted)) return "unknown";
    await finish(runtime.pool, id, wanted, { outcome: "placed", actionId: accepted.id });
    return "placed";
  } catch (error) {
    if (!isServiceError(error)) throw error;
    await finish(runtime.pool, id, wanted, { outcome: "refused", message: error.message });
    return "refused";
  }
}

/** Returns false if this version was held at this step before. */
async function claim(pool: Pool, rolloutId: string, { runKey, step, set }: WantedBarrierHold): Promise<boolean> {
  const inserted = await write(
    pool,
    tables
      .insertInto("barrier_hold")
      .values({ rollout_id: rolloutId, run_key: runKey, step, set_name: set })
      .onConflict((conflict) => conflict.doNothing()),
  );
  return inserted === 1;
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
