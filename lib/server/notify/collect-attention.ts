import type { Pool } from "pg";
import { type AttentionChange, eventOfAttention } from "#lib/domain/notify/event-of-attention.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { enqueueEvents } from "./enqueue-events.ts";

const pageSize = 500;

const selectChanges = tables
  .selectFrom("attention_change as c")
  .innerJoin("rollout as r", "r.id", "c.rollout_id")
  .select(["c.id", "c.rollout_id", "c.reason", "c.since", "c.severity", "c.message", "c.step", "c.step_count"])
  .select(["c.revision", "c.is_first_sight", "c.at", "r.cluster", "r.namespace", "r.kind", "r.name"])
  .orderBy("c.id")
  .limit(pageSize)
  .forUpdate("c")
  .skipLocked();

/** Turns what rollouts began to wait for into events. Resolves with the number of rows that it took. */
export async function collectAttention(pool: Pool): Promise<number> {
  return inTransaction(pool, async (tx) => {
    const rows = await readRows(tx, selectChanges);
    if (rows.length === 0) return 0;
    const events = rows.flatMap((row) => eventOfAttention(toChange(row)) ?? []);
    await enqueueEvents(tx, events);
    await prismaOn(tx).attentionChange.deleteMany({ where: { id: { in: rows.map(({ id }) => BigInt(id)) } } });
    return rows.length;
  });
}

function toChange(row: RowOf<typeof selectChanges>): AttentionChange {
  const { cluster, namespace, kind, name, reason, severity, message, step, revision } = row;
  return {
    ...{ reason, severity, message, step, revision },
    rolloutId: row.rollout_id,
    rollout: { cluster, namespace, kind, name },
    since: row.since.toISOString(),
    stepCount: row.step_count,
    isFirstSight: row.is_first_sight,
    at: row.at.toISOString(),
  };
}
