import type { Pool } from "pg";
import { stableUuid } from "#lib/domain/delivery/rollout-id.ts";
import { gatehouseKey } from "#lib/server/holds/act-as-gatehouse.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";

type HoldId = { rolloutId: string; runKey: string; step: number; tries: number };

/** The idempotency key of the action that pauses for a hold: whoever reads the hold finds the action. */
export function barrierHoldKey({ rolloutId, runKey, step, tries }: HoldId): string {
  return `barrier-hold-${stableUuid(rolloutId, runKey, step, tries)}`;
}

/** A recorder that has not stored its action within this time is gone. */
export const placingMs = 120_000;

/**
 * Finds what became of holds that have no outcome: their recorder died, or got no answer from the cluster. The action
 * shows whether the cluster has the pause, once the recorder has read it back. Without an action nothing was sent.
 */
export async function settleBarrierHolds(pool: Pool): Promise<void> {
  const { barrierHold, action } = prismaOn(pool);
  const holds = await barrierHold.findMany({
    where: { outcome: null, endedAt: null },
    select: { rolloutId: true, runKey: true, step: true, tries: true, wantedAt: true },
    orderBy: { wantedAt: "asc" },
    take: 500,
  });
  if (holds.length === 0) return;
  const now = await readDatabaseTime(pool);
  const actions = await action.findMany({
    where: { actorKey: gatehouseKey, idempotencyKey: { in: holds.map(barrierHoldKey) } },
    select: { id: true, idempotencyKey: true, state: true, message: true, appliedAt: true },
  });
  for (const { wantedAt, ...id } of holds) {
    const placing = actions.find(({ idempotencyKey }) => idempotencyKey === barrierHoldKey(id));
    const isGone = placing === undefined && now.getTime() - wantedAt.getTime() > placingMs;
    const end = isGone
      ? { outcome: "refused" as const, message: "Gatehouse stopped before it paused it." }
      : endOf(placing);
    if (end !== undefined)
      await barrierHold.updateMany({ where: { ...id, outcome: null }, data: { ...end, settledAt: now } });
  }
}

type Placing = { id: string; state: string; message: string; appliedAt: Date | null };

/** Returns undefined while it is not known. */
export function endOf(placing: Placing | undefined) {
  if (placing === undefined) return undefined;
  const { id: actionId, state, message, appliedAt } = placing;
  if (appliedAt !== null) return { outcome: "placed" as const, actionId };
  if (state === "requested" || state === "unknown") return undefined;
  return { outcome: "refused" as const, actionId, message };
}
