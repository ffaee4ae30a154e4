import type { FreezePeriod } from "#lib/domain/policy/freeze.ts";
import type { Scope } from "#lib/domain/policy/rights.ts";
import type { Prisma } from "#lib/server/platform/db/generated/client.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";
import { cutText } from "#lib/util/text.ts";

export type FreezeRow = Prisma.FreezeGetPayload<object>;

/** More at once are refused: every click and every list looks at all. */
export const mostFreezes = 100;
/** Figures over a long time count the newest. */
const mostPastFreezes = 1000;
/** Of one person or token, so that the others have room. */
export const mostOwnFreezes = 20;

/** Reads the freezes that are in force or will be. `now` is the time of the database's clock. */
export function readFreezes(connection: Connection, now: Date): Promise<FreezeRow[]> {
  return prismaOn(connection).freeze.findMany({
    where: { endsAt: { gt: now } },
    orderBy: [{ startsAt: "asc" }, { id: "asc" }],
    take: mostFreezes,
  });
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
