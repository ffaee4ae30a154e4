import { sql } from "kysely";
import type { Pool, PoolClient } from "pg";
import { formatObjectRef, type ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { isRolloutKind } from "#lib/domain/providers.ts";
import { type Change, type ChangeCursor, readChangeLogState, readChanges } from "#lib/server/platform/db/change-log.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { type Connection, readRow, write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { isAtAnyPlace } from "../records/rollout-row.ts";

const reader = "findings";
const perRead = 1000;
/** Kinds of change that no rule looks at, or that the rules themselves write. */
const ignored: readonly Change["event"]["kind"][] = [
  "finding",
  "notification",
  "rollout-pods",
  "rollout-events",
  "template",
  "source",
];

/**
 * Marks the rollouts that have changed since the last call, and moves on in the change log: both in one transaction, so
 * that nothing is skipped if the process dies. If the log no longer reaches back to where this reader stopped, every
 * rollout is marked. `hasPending`: rows are committed that cannot be read before an older transaction ends.
 */
export async function markChanged(pool: Pool): Promise<{ hasPending: boolean }> {
  const place = await readPlace(pool);
  const state = await readChangeLogState(pool);
  if (place === undefined || place.xid > state.next || isBefore(place, state.oldest)) {
    await inTransaction(pool, async (tx) => {
      await movePlace(tx, state.end);
      await markAll(tx);
    });
    return { hasPending: false };
  }
  const batch = await readChanges({ pool, after: place, limit: perRead });
  if (batch.cursor.xid !== place.xid || batch.cursor.id !== place.id)
    await inTransaction(pool, async (tx) => {
      await movePlace(tx, batch.cursor);
      await markNamed(tx, batch.changes);
    });
  return { hasPending: batch.hasPending || batch.isFull };
}

/** Rows of this reader's place and after it may have been deleted if the log begins later. */
function isBefore(place: ChangeCursor, oldest: ChangeCursor | undefined): boolean {
  return oldest !== undefined && place.xid < oldest.xid;
}

/** `xid8` has no type that Prisma or Kysely knows. */
async function readPlace(connection: Connection): Promise<ChangeCursor | undefined> {
  const row = await readRow(
    connection,
    sql<{
      xid: string;
      id: string;
    }>`SELECT xid::text AS xid, id::text AS id FROM change_place WHERE reader = ${reader}`,
  );
  return row && { xid: BigInt(row.xid), id: BigInt(row.id) };
}

async function movePlace(tx: PoolClient, { xid, id }: ChangeCursor): Promise<void> {
  await write(
    tx,
    sql`INSERT INTO change_place (reader, xid, id) VALUES (${reader}, ${xid.toString()}::xid8, ${id.toString()}::bigint)
      ON CONFLICT (reader) DO UPDATE SET xid = EXCLUDED.xid, id = EXCLUDED.id`,
  );
}

/** Marks every rollout, for a reader without a place. */
async function markAll(connection: Connection): Promise<void> {
  await write(connection, markRollouts(selectIds()));
}

function selectIds() {
  return tables.selectFrom("rollout as r").select("r.id");
}

function markRollouts(chosen: ReturnType<typeof selectIds>) {
  return tables
    .insertInto("rollout_review")
    .columns(["rollout_id"])
    .expression(chosen)
    .onConflict((conflict) =>
      conflict.column("rollout_id").doUpdateSet((eb) => ({ changes: eb("rollout_review.changes", "+", "1") })),
    );
}

async function markNamed(tx: PoolClient, changes: readonly Change[]): Promise<void> {
  const places = new Map<string, ObjectRef>();
  for (const { event, place } of changes) {
    const { cluster, namespace, kind, name } = place;
    if (ignored.includes(event.kind) || cluster === null || namespace === null || kind === null || name === null)
      continue;
    const ref = { cluster, namespace, kind, name };
    if (isRolloutKind(kind)) places.set(formatObjectRef(ref), ref);
  }
  if (places.size > 0) await write(tx, markRollouts(selectIds().where(isAtAnyPlace([...places.values()]))));
}
