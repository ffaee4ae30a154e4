import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { WantedHold } from "#lib/domain/oversight/find-hold.ts";
import { actOnRollout } from "#lib/server/acting/act/act-on-rollout.ts";
import { isApplied, isSourceLive, passing, systemActor } from "#lib/server/holds/act-as-gatehouse.ts";
import type { HoldToPlace } from "#lib/server/holds/find-wanted-holds.ts";
import { holdKey, settleHolds } from "#lib/server/holds/settle-holds.ts";
import { isServiceError } from "#lib/server/platform/actor/service-error.ts";
import { clockTime, readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRow } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";

/**
 * Pauses a rollout as Gatehouse itself, because the controller is about to ignore an Inconclusive result. Once per
 * rollout (uid), version and step, and once per run: a person who lifts it is not overruled. Only while the
 * rollout's source is live. The pipeline of every action does the rest: it compares uid and version with the cluster's
 * object, refuses a promoted one, and audits before and after. Resolves with what happened: after `stale` and `delayed`
 * nothing has changed, and it may be tried `again`; after `unsettled` too, once it is known what became of the last try.
 */
export async function placeHold({
  runtime,
  rollout,
  wanted,
  again = false,
}: HoldToPlace & { runtime: Runtime; again?: boolean }): Promise<
  "placed" | "refused" | "delayed" | "repeated" | "stale" | "unsettled"
> {
  const { cluster, namespace, kind, name, id } = rollout;
  const { pool } = runtime;
  if (!(await isSourceLive(runtime, rollout))) return "stale";
  const claimed = (await claim(pool, id, wanted, again)) ?? (await claimOnceSettled(pool, id, wanted));
  if (!(claimed instanceof Date)) return claimed;
  const place = { cluster, namespace, kind, name };
  const ctx = { runtime, actor: systemActor(place, "pause"), requestId: `hold-${randomUUID()}` };
  const reason = `Hold: ${wanted.title.toLowerCase()} ${wanted.run} ended Inconclusive, and the controller may go on without an answer.`;
  const expect = { viewDigest: rollout.view_digest, uid: rollout.uid, revisionKey: wanted.runKey };
  const accepted = await actOnRollout({
    ctx,
    input: { ...place, action: "pause", reason, expect },
    idempotencyKey: holdKey({ rolloutId: id, ...wanted, wantedAt: claimed }),
  }).catch((error: unknown) => ({ error }));
  const settledAt = await readDatabaseTime(pool);
  if ("error" in accepted) {
    const { error } = accepted;
    const message = isServiceError(error) ? error.message : "Gatehouse failed before it paused it.";
    await store(pool, id, wanted, { outcome: "refused", message, settledAt });
    if (!isServiceError(error)) throw error;
    // A pause is refused as stale only for another version: that one is judged by its own changes.
    return passing.has(error.code) && error.code !== "stale_view" ? "delayed" : "refused";
  }
  if (isApplied(accepted)) {
    await store(pool, id, wanted, { outcome: "placed", message: null, actionId: accepted.id, settledAt });
    return "placed";
  }
  const message = "The outcome of the request is unknown: the action shows it once it is found.";
  await store(pool, id, wanted, { outcome: "refused", message, actionId: accepted.id });
  return "unsettled";
}

/**
 * Returns when it was claimed; undefined if this version was held at this step before, or for the same run at another
 * step: whoever lifted that hold has seen the result. `again`: also after a refusal, as nothing was sent then.
 */
async function claim(
  pool: Pool,
  rolloutId: string,
  { runKey, step, run }: WantedHold,
  again: boolean,
): Promise<Date | undefined> {
  const insert = tables
    .insertInto("hold")
    .columns(["rollout_id", "run_key", "step", "run_name"])
    .expression(({ selectFrom, val, cast, not, exists }) =>
      selectFrom("rollout as r")
        .select(["r.id", val(runKey).as("run_key"), cast<number>(val(step), "integer").as("step")])
        .select(val(run).as("run_name"))
        .where("r.id", "=", rolloutId)
        .where(
          not(
            exists(
              selectFrom("hold as h")
                .select("h.rollout_id")
                .where("h.rollout_id", "=", rolloutId)
                .where("h.run_key", "=", runKey)
                .where("h.run_name", "=", run)
                .where(({ eb, or }) =>
                  or([eb("h.outcome", "is distinct from", "refused"), eb("h.settled_at", "is", null)]),
                ),
            ),
          ),
        ),
    )
    .onConflict((conflict) =>
      again
        ? conflict
            .columns(["rollout_id", "run_key", "step"])
            // The finding about the refusal stays until there is another outcome.
            .doUpdateSet({ run_name: run, wanted_at: clockTime, action_id: null, settled_at: null })
            .where("hold.outcome", "=", "refused")
            .where("hold.settled_at", "is not", null)
        : conflict.doNothing(),
    )
    .returning("hold.wanted_at");
  return (await readRow(pool, insert))?.wanted_at;
}

/**
 * Claims it if a try without an outcome was in the way, and that has not placed it: another process may have died in it.
 */
async function claimOnceSettled(
  pool: Pool,
  rolloutId: string,
  wanted: WantedHold,
): Promise<Date | "repeated" | "unsettled"> {
  const { settled, open } = await settleHolds(pool, [rolloutId]);
  const claimed = settled === 0 ? undefined : await claim(pool, rolloutId, wanted, true);
  if (claimed !== undefined) return claimed;
  return open.some(({ runKey }) => runKey === wanted.runKey) ? "unsettled" : "repeated";
}

async function store(
  pool: Pool,
  rolloutId: string,
  { runKey, step }: WantedHold,
  change: { outcome: "placed" | "refused"; actionId?: string; message: string | null; settledAt?: Date },
): Promise<void> {
  await prismaOn(pool).hold.updateMany({ where: { rolloutId, runKey, step }, data: change });
}
