import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRow } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

const name = "place";

/** `beginsAt`: what happened before is not sent. `auditSeq`: the entry of the audit log that was turned into an event last. */
export type NotificationPlace = { beginsAt: Date; auditSeq: bigint };

/**
 * Locks the place for the transaction. The first call ever sets it: notifications begin now, after the newest entry of
 * the audit log.
 */
export async function lockPlace(connection: Connection): Promise<NotificationPlace> {
  const found = await findPlace(connection);
  if (found !== undefined) return found;
  const newest = await prismaOn(connection).auditEntry.findFirst({ select: { seq: true }, orderBy: { seq: "desc" } });
  await prismaOn(connection).notificationPlace.createMany({
    data: { name, auditSeq: newest?.seq ?? 0n },
    skipDuplicates: true,
  });
  const made = await findPlace(connection);
  if (made === undefined) throw new Error("the place of notifications was not stored");
  return made;
}

async function findPlace(connection: Connection): Promise<NotificationPlace | undefined> {
  const row = await readRow(
    connection,
    tables.selectFrom("notification_place").select(["begins_at", "audit_seq"]).where("name", "=", name).forUpdate(),
  );
  return row === undefined ? undefined : { beginsAt: row.begins_at, auditSeq: BigInt(row.audit_seq) };
}

/** Moves the place in the audit log, in the transaction that enqueues the events of the entries up to there. */
export async function movePlace(connection: Connection, auditSeq: bigint): Promise<void> {
  await prismaOn(connection).notificationPlace.updateMany({ where: { name }, data: { auditSeq } });
}
