import type { Pool } from "pg";
import { parseEntryText } from "#lib/domain/audit/audit-entry.ts";
import { type AttentionChange, eventOfAttention, eventOfAuditEntry } from "#lib/domain/notify/make-notifiable-event.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, type RowOf, readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { currentRelease, wantedImagesOf } from "#lib/server/records/wanted-images.ts";
import { enqueueEvents } from "./stored-event.ts";
import { queueTicketOutcomes } from "./ticket-outcomes.ts";

const pageSize = 500;

const selectChanges = tables
  .selectFrom("attention_change as c")
  .innerJoin("rollout as r", "r.id", "c.rollout_id")
  .leftJoinLateral(currentRelease.as("current"), (join) => join.onTrue())
  .select(["c.id", "c.rollout_id", "c.reason", "c.since", "c.severity", "c.message", "c.step", "c.step_count"])
  .select(["c.revision", "c.is_first_sight", "c.at", "r.cluster", "r.namespace", "r.kind", "r.name"])
  .select(["r.images", "current.release_images"])
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
    images: wantedImagesOf(row),
    isFirstSight: row.is_first_sight,
    at: row.at.toISOString(),
  };
}

/**
 * Turns entries of the audit log into events, and into outcomes for systems that decide about tickets, in their order: `seq` has no gaps, and a later entry is never committed
 * before an earlier one. The place moves in the same transaction, so that no entry is skipped or taken twice. Resolves
 * with the number of entries that it read.
 */
export async function collectAudit(pool: Pool): Promise<number> {
  return inTransaction(pool, async (tx) => {
    const { auditSeq } = await lockPlace(tx);
    const rows = await prismaOn(tx).auditEntry.findMany({
      where: { seq: { gt: auditSeq } },
      select: { seq: true, entry: true },
      orderBy: { seq: "asc" },
      take: pageSize,
    });
    const last = rows.at(-1);
    if (last === undefined) return 0;
    const entries = rows.flatMap(({ entry }) => parseEntryText(entry) ?? []);
    await enqueueEvents(
      tx,
      entries.flatMap((entry) => eventOfAuditEntry(entry) ?? []),
    );
    await queueTicketOutcomes(tx, entries);
    await movePlace(tx, last.seq);
    return rows.length;
  });
}

const ofEvents = "place";

/** `beginsAt`: what happened before is not sent. `auditSeq`: the entry of the audit log that was turned into an event last. */
type NotificationPlace = { beginsAt: Date; auditSeq: bigint };

/**
 * Locks the place for the transaction. The first call ever sets it: notifications begin now, after the newest entry of
 * the audit log. `name`: of a channel that has a beginning of its own.
 */
export async function lockPlace(connection: Connection, name = ofEvents): Promise<NotificationPlace> {
  const found = await findPlace(connection, name);
  if (found !== undefined) return found;
  const newest = await prismaOn(connection).auditEntry.findFirst({ select: { seq: true }, orderBy: { seq: "desc" } });
  await prismaOn(connection).notificationPlace.createMany({
    data: { name, auditSeq: newest?.seq ?? 0n },
    skipDuplicates: true,
  });
  const made = await findPlace(connection, name);
  if (made === undefined) throw new Error("the place of notifications was not stored");
  return made;
}

async function findPlace(connection: Connection, name: string): Promise<NotificationPlace | undefined> {
  const row = await readRow(
    connection,
    tables.selectFrom("notification_place").select(["begins_at", "audit_seq"]).where("name", "=", name).forUpdate(),
  );
  return row === undefined ? undefined : { beginsAt: row.begins_at, auditSeq: BigInt(row.audit_seq) };
}

/** Moves the place in the audit log, in the transaction that enqueues the events of the entries up to there. */
async function movePlace(connection: Connection, auditSeq: bigint): Promise<void> {
  await prismaOn(connection).notificationPlace.updateMany({ where: { name: ofEvents }, data: { auditSeq } });
}
