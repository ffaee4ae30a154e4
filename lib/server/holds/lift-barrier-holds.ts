import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { judgeActions } from "#lib/domain/acting/judge-actions.ts";
import type { DeliveryState } from "#lib/domain/delivery/observation.ts";
import { judgeLift } from "#lib/domain/oversight/find-barrier-hold.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { actOnRollout } from "#lib/server/acting/act/act-on-rollout.ts";
import { readActionGate } from "#lib/server/acting/permission/action-gate.ts";
import { readBarriers } from "#lib/server/acting/permission/read-barriers.ts";
import { readAllRelatedState } from "#lib/server/clusters/sources/read-related-state.ts";
import { isApplied, systemActor } from "#lib/server/holds/act-as-gatehouse.ts";
import { settleBarrierHolds } from "#lib/server/holds/settle-barrier-holds.ts";
import { type FullRolloutRow, findRollout } from "#lib/server/people/permission/find-rollout.ts";
import { isServiceError } from "#lib/server/platform/actor/service-error.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { readFreezes, toFreezePeriod } from "#lib/server/records/freeze-row.ts";
import { toRecorded } from "#lib/server/records/observation-row.ts";

const selectOpen = tables
  .selectFrom("barrier_hold as b")
  .innerJoin("rollout as r", "r.id", "b.rollout_id")
  .select(["b.rollout_id", "b.run_key", "b.step", "b.set_name", "b.wanted_at"])
  .select(["r.cluster", "r.namespace", "r.kind", "r.name", "r.presence"])
  .where("b.outcome", "=", "placed")
  .where("b.ended_at", "is", null)
  .orderBy("b.wanted_at")
  // The others follow once these have ended.
  .limit(500);

type OpenHold = RowOf<typeof selectOpen>;

/** After a refusal it is tried again, but not with each look: each refusal is an entry of the audit log. */
const againMs = 60_000;

/**
 * Lifts the pauses that Gatehouse placed for sets, once all members have reached theirs and nothing else has changed. A
 * hold that someone lifted, or that another version or step has overtaken, is left alone. Resolves with how many were
 * lifted.
 */
export async function liftBarrierHolds({
  runtime,
  onError,
}: {
  runtime: Runtime;
  onError: (error: unknown, place: { cluster: string; namespace: string; name: string }) => void;
}): Promise<number> {
  const { pool } = runtime;
  await settleBarrierHolds(pool);
  const now = await readDatabaseTime(pool);
  const open = await readRows(
    pool,
    selectOpen.where((eb) =>
      eb.or([eb("b.tried_at", "is", null), eb("b.tried_at", "<", new Date(now.getTime() - againMs))]),
    ),
  );
  if (open.length === 0) return 0;
  const barrierOf = await readBarriers({ runtime }, open);
  let lifted = 0;
  for (const hold of open) {
    const { cluster, namespace, kind, name, presence } = hold;
    try {
      const later = await readStatesSince(pool, hold);
      const barrier = barrierOf({ cluster, namespace, kind, name });
      const verdict =
        presence === "live" ? judgeLift({ hold: { runKey: hold.run_key, step: hold.step }, later, barrier }) : "over";
      if (verdict === "over") await end(pool, hold, {});
      if (verdict === "lift" && (await lift(runtime, hold))) lifted += 1;
    } catch (error) {
      onError(error, { cluster, namespace, name });
    }
  }
  return lifted;
}

/**
 * Unpauses it as Gatehouse itself, unless a freeze, a ticket or a second person is in the way: then a person decides.
 */
async function lift(runtime: Runtime, hold: OpenHold): Promise<boolean> {
  const { cluster, namespace, kind, name } = hold;
  const place = { cluster, namespace, kind, name };
  const ctx = { runtime, actor: systemActor(place, "unpause"), requestId: `hold-${randomUUID()}` };
  const row = await findRollout(ctx, place);
  const { freezes } = await readFreezes(runtime.pool);
  const judging = { ...ctx, runtime: { ...runtime, freezes: () => freezes.map(toFreezePeriod) } };
  if (row.id !== hold.rollout_id || !(await mayUnpause(judging, row))) return false;
  try {
    const { id, state } = await actOnRollout({
      ctx,
      input: {
        ...place,
        action: "unpause",
        reason: `Lifts the hold for set "${hold.set_name}": all that take part have reached this pause.`,
        expect: { viewDigest: row.view_digest, uid: row.uid, revisionKey: hold.run_key },
      },
    });
    if (isApplied({ state })) {
      await end(runtime.pool, hold, { liftActionId: id, message: null });
      return true;
    }
    // Once it is known, the next look finds that it is over, or lifts again.
    const message = "It is not known whether it was lifted: the action shows it.";
    await prismaOn(runtime.pool).barrierHold.updateMany({
      where: keyOf(hold),
      data: { triedAt: await readDatabaseTime(runtime.pool), liftActionId: id, message },
    });
    return false;
  } catch (error) {
    if (!isServiceError(error)) throw error;
    await prismaOn(runtime.pool).barrierHold.updateMany({
      where: keyOf(hold),
      data: { triedAt: await readDatabaseTime(runtime.pool), message: error.message },
    });
    return false;
  }
}

/** Judges it first as its button is judged: a refusal of the click would be an entry each time. */
async function mayUnpause(ctx: ServiceContext, row: FullRolloutRow): Promise<boolean> {
  const parsed = providerOfKind(row.kind).parse(row.object);
  if (!parsed.ok) return false;
  const { acting, workloads } = parsed.value;
  const [{ gate }, related] = await Promise.all([
    readActionGate({ ctx, row }),
    readAllRelatedState(ctx.runtime.pool, { ...row, workloads }),
  ]);
  const offers = acting.offer({ now: ctx.runtime.now(), related, among: ["unpause"] });
  const unpause = judgeActions(offers, gate).find(({ action }) => action === "unpause");
  if (unpause?.allowed !== true) return false;
  return unpause.needs.secondPerson === null && unpause.needs.tickets === undefined;
}

/** Newest observations are enough: a hold that was changed before those had ended by then. */
const mostStates = 200;

async function readStatesSince(pool: Pool, hold: OpenHold): Promise<DeliveryState[]> {
  const rows = await readRows(
    pool,
    tables
      .selectFrom("observation as o")
      .select(["o.observed_at", "o.resource_version", "o.writer", "o.provider", "o.projection"])
      .where("o.rollout_id", "=", hold.rollout_id)
      .where("o.provider", "<>", "")
      .where("o.observed_at", ">=", hold.wanted_at)
      .orderBy("o.id", "desc")
      .limit(mostStates),
  );
  return rows.toReversed().map((row) => toRecorded(row).state);
}

function keyOf({ rollout_id, run_key, step }: OpenHold): { rolloutId: string; runKey: string; step: number } {
  return { rolloutId: rollout_id, runKey: run_key, step };
}

async function end(
  pool: Pool,
  hold: OpenHold,
  change: { liftActionId?: string; message?: string | null },
): Promise<void> {
  await prismaOn(pool).barrierHold.updateMany({
    where: keyOf(hold),
    data: { ...change, endedAt: await readDatabaseTime(pool) },
  });
}
