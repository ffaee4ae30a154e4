import { sql } from "kysely";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { transactionTime } from "#lib/server/platform/db/database-time.ts";
import { type Connection, readRow } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

/** Throws `conflict` if the owner has more valid tokens than allowed, or would have with `more` new ones. */
export async function assertWithinLimit(
  connection: Connection,
  { ownerId, limit, more = 0 }: { ownerId: string; limit: number; more?: number },
): Promise<void> {
  const valid = await readRow(
    connection,
    tables
      .selectFrom("api_token")
      .select(sql<number>`count(*)::int`.as("count"))
      .where("owner_id", "=", ownerId)
      .where("revoked_at", "is", null)
      .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", transactionTime)])),
  );
  const count = valid?.count ?? 0;
  if (count + more > limit)
    throw new ServiceError("conflict", `You have ${count} valid tokens, and the limit is ${limit}: revoke one first.`);
}
