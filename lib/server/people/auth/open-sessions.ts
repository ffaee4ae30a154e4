import { transactionTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

/** Selects sessions that are open by the database's clock, with their person. */
export const selectOpenSessions = tables
  .selectFrom("user_session as s")
  .innerJoin("user_account as u", "u.id", "s.user_id")
  .select(["s.id", "s.user_id", "u.issuer", "u.subject", "u.name"])
  .select(["s.authenticated_at", "s.idle_expires_at", "s.absolute_expires_at"])
  .where("s.revoked_at", "is", null)
  .where("s.idle_expires_at", ">", transactionTime)
  .where("s.absolute_expires_at", ">", transactionTime);

/** Ends the session, at the time of its audit entry. One that was revoked before stays as it is. */
export async function closeSession(connection: Connection, { id, at }: { id: string; at: string }): Promise<void> {
  await prismaOn(connection).userSession.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: at } });
}
