import type { Pool } from "pg";
import { parseEntryText } from "#lib/domain/audit/audit-entry.ts";
import { eventOfAuditEntry } from "#lib/domain/notify/event-of-audit-entry.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { enqueueEvents } from "./enqueue-events.ts";
import { lockPlace, movePlace } from "./notification-place.ts";

const pageSize = 500;

/**
 * Turns entries of the audit log into events, in their order: `seq` has no gaps, and a later entry is never committed
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
    const events = rows.flatMap(({ entry }) => {
      const parsed = parseEntryText(entry);
      return parsed === undefined ? [] : (eventOfAuditEntry(parsed) ?? []);
    });
    await enqueueEvents(tx, events);
    await movePlace(tx, last.seq);
    return rows.length;
  });
}
