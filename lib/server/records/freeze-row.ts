import { sql } from "kysely";
import type { FreezePeriod } from "#lib/domain/policy/freeze.ts";
import type { Scope } from "#lib/domain/policy/rights.ts";
import { clockTime } from "#lib/server/platform/db/database-time.ts";
import type { Prisma } from "#lib/server/platform/db/generated/client.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { cutText } from "#lib/util/text.ts";

export type FreezeRow = Prisma.FreezeGetPayload<object>;

/** More at once are refused: every click and every list looks at all. */
export const mostFreezes = 100;
/** Figures over a long time count the newest. */
const mostPastFreezes = 1000;
/** Of one person or token, so that the others have room. */
export const mostOwnFreezes = 20;

const selectNow = tables
  .selectFrom(sql<{ now: Date }>`(SELECT ${clockTime} AS now)`.as("clock"))
  .leftJoin("freeze_period as f", (join) => join.onRef("f.ends_at", ">", "clock.now"))
  .select(["clock.now", "f.id", "f.reason", "f.clusters", "f.namespaces", "f.rollouts"])
  .select(["f.starts_at as startsAt", "f.ends_at as endsAt"])
  .select(["f.made_by as madeBy", "f.made_by_name as madeByName", "f.ended_by_name as endedByName"])
  .orderBy("f.starts_at")
  .orderBy("f.id")
  .limit(mostFreezes);

/**
 * Reads the freezes that are in force or will be, with the time of the database's clock. One statement: every click
 * waits for it.
 */
export async function readFreezes(connection: Connection): Promise<{ now: Date; freezes: FreezeRow[] }> {
  const rows = await readRows(connection, selectNow);
  const freezes = rows.filter((row): row is FreezeRow & { now: Date } => row.id !== null);
  return { now: rows[0]?.now ?? new Date(), freezes };
}

/** Reads the freezes that were in force at a time between the two moments; the newest if they are many. */
export function readFreezesBetween(
  connection: Connection,
  { from, to }: { from: Date; to: Date },
): Promise<FreezeRow[]> {
  return prismaOn(connection).freeze.findMany({
    where: { startsAt: { lt: to }, endsAt: { gt: from } },
    orderBy: [{ startsAt: "desc" }, { id: "asc" }],
    take: mostPastFreezes,
  });
}

export function scopeOfFreeze({ clusters, namespaces, rollouts }: FreezeRow): Scope {
  return { clusters, namespaces, rollouts };
}

const longestName = 80;

/** Returns the freeze as the rules know it: for advancing actions, named by its maker and its reason. */
export function toFreezePeriod(row: FreezeRow): FreezePeriod {
  return {
    id: row.id,
    name: cutText(`${row.madeByName}: ${row.reason}`, longestName),
    scope: scopeOfFreeze(row),
    actions: ["*"],
    includeProtective: false,
    from: row.startsAt,
    until: row.endsAt,
  };
}
