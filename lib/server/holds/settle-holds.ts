import type { Pool } from "pg";
import { stableUuid } from "#lib/domain/delivery/rollout-id.ts";
import { gatehouseKey } from "#lib/server/holds/act-as-gatehouse.ts";
import { endOf, placingMs } from "#lib/server/holds/settle-barrier-holds.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";

type HoldId = { rolloutId: string; runKey: string; step: number; wantedAt: Date };

/** The idempotency key of the action that pauses for a hold: whoever reads the hold finds the action. */
export function holdKey({ rolloutId, runKey, step, wantedAt }: HoldId): string {
  return `hold-${stableUuid(rolloutId, runKey, step, wantedAt.getTime())}`;
}

/**
 * Finds the outcome of the last try of these rollouts' holds if it is not stored: the recorder died, the database
 * failed, or the cluster did not answer. Returns the holds whose outcome is still not known. For `all`, only where there
 * is an action: a claim without one stays open until a change asks for its hold again, and is then placed.
 */
export async function settleHolds(
  pool: Pool,
  rolloutIds: readonly string[] | "all",
): Promise<{ settled: number; open: HoldId[] }> {
  if (rolloutIds.length === 0) return { settled: 0, open: [] };
  const { hold, action } = prismaOn(pool);
  const rows = await hold.findMany({
    where: { settledAt: null, ...(rolloutIds === "all" ? {} : { rolloutId: { in: [...rolloutIds] } }) },
    select: { rolloutId: true, runKey: true, step: true, wantedAt: true },
    orderBy: { wantedAt: "asc" },
    take: 500,
  });
  if (rows.length === 0) return { settled: 0, open: [] };
  const now = await readDatabaseTime(pool);
  const actions = await action.findMany({
    where: { actorKey: gatehouseKey, idempotencyKey: { in: rows.map(holdKey) } },
    select: { id: true, idempotencyKey: true, state: true, message: true, appliedAt: true },
  });
  const open: HoldId[] = [];
  for (const id of rows) {
    const placing = actions.find(({ idempotencyKey }) => idempotencyKey === holdKey(id));
    const mayBeGone = rolloutIds !== "all" && placing === undefined;
    const isGone = mayBeGone && now.getTime() - id.wantedAt.getTime() > placingMs;
    const end = isGone
      ? { outcome: "refused" as const, message: "Gatehouse stopped before it paused it." }
      : endOf(placing);
    const { rolloutId, runKey, step } = id;
    const where = { rolloutId, runKey, step, settledAt: null };
    if (end === undefined) open.push(id);
    else await hold.updateMany({ where, data: { message: null, ...end, settledAt: now } });
  }
  return { settled: rows.length - open.length, open };
}
