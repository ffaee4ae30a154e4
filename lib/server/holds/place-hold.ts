import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { WantedHold } from "#lib/domain/oversight/find-hold.ts";
import { actOnRollout } from "#lib/server/acting/act/act-on-rollout.ts";
import { isApplied, isSourceLive, systemActor } from "#lib/server/holds/act-as-gatehouse.ts";
import type { HoldToPlace } from "#lib/server/holds/find-wanted-holds.ts";
import { isServiceError } from "#lib/server/platform/actor/service-error.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";

/**
 * Pauses a rollout as Gatehouse itself, because the controller is about to ignore an Inconclusive result. Once per
 * rollout (uid), version and step, and once per run: a person who lifts it is not overruled. Only while the
 * rollout's source is live. The pipeline of every action does the rest: it compares uid and version with the cluster's
 * object, refuses a promoted one, and audits before and after. Resolves with what happened.
 */
export async function placeHold({
  runtime,
  rollout,
  wanted,
}: HoldToPlace & { runtime: Runtime }): Promise<"placed" | "refused" | "repeated" | "stale"> {
  const { cluster, namespace, kind, name, id } = rollout;
  if (!(await isSourceLive(runtime, rollout))) return "stale";
  if (!(await claim(runtime.pool, id, wanted))) return "repeated";
  const place = { cluster, namespace, kind, name };
  const ctx = { runtime, actor: systemActor(place, "pause"), requestId: `hold-${randomUUID()}` };
  const reason = `Hold: ${wanted.title.toLowerCase()} ${wanted.run} ended Inconclusive, and the controller may go on without an answer.`;
  try {
    const accepted = await actOnRollout({
      ctx,
      input: {
        ...place,
        action: "pause",
        reason,
        expect: { viewDigest: rollout.view_digest, uid: rollout.uid, revisionKey: wanted.runKey },
      },
    });
    const isPlaced = isApplied(accepted);
    const message = isPlaced ? null : "The outcome of the request is unknown: the action shows it once it is found.";
    await finish(runtime.pool, id, wanted, {
      outcome: isPlaced ? "placed" : "refused",
      message,
      actionId: accepted.id,
    });
    return isPlaced ? "placed" : "refused";
  } catch (error) {
    if (!isServiceError(error)) throw error;
    await finish(runtime.pool, id, wanted, { outcome: "refused", message: error.message });
    return "refused";
  }
}

/**
 * Returns false if this version was held at this step before, or for the same run at another step: whoever lifted that
 * hold has seen the result.
 */
async function claim(pool: Pool, rolloutId: string, { runKey, step, run }: WantedHold): Promise<boolean> {
  const inserted = await write(
    pool,
    tables
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
                  .where("h.outcome", "is distinct from", "refused"),
              ),
            ),
          ),
      )
      .onConflict((conflict) => conflict.doNothing()),
  );
  return inserted === 1;
}

async function finish(
  pool: Pool,
  rolloutId: string,
  { runKey, step }: WantedHold,
  change: { outcome: "placed" | "refused"; actionId?: string; message?: string | null },
): Promise<void> {
  await prismaOn(pool).hold.updateMany({
    where: { rolloutId, runKey, step },
    data: { ...change, settledAt: await readDatabaseTime(pool) },
  });
}
