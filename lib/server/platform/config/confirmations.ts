import { sql } from "kysely";
import { clockTime } from "#lib/server/platform/db/database-time.ts";
import { type Connection, readRow, write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

/** Both digests of a removal: confirming one change says nothing about another. */
export type ConfigChange = { digest: string; replaces: string };

/**
 * Returns whether an admin has confirmed within the last hour, by the database's clock, that one file may replace the
 * other. An hour is long enough for every replica to see it, and too short to accept the same fault another day.
 */
export async function isChangeConfirmed(pool: Connection, { digest, replaces }: ConfigChange): Promise<boolean> {
  const confirmation = await readRow(
    pool,
    tables
      .selectFrom("config_confirmation")
      .select("digest")
      .where("digest", "=", digest)
      .where("replaces", "=", replaces)
      .where("confirmed_at", ">", sql<Date>`${clockTime} - interval '1 hour'`),
  );
  return confirmation !== undefined;
}

export async function confirmChange(
  tx: Connection,
  { digest, replaces, confirmedBy, reason }: ConfigChange & { confirmedBy: string; reason: string },
): Promise<void> {
  await write(
    tx,
    tables
      .insertInto("config_confirmation")
      .values({ digest, replaces, confirmed_by: confirmedBy, reason })
      .onConflict((conflict) =>
        conflict
          .columns(["digest", "replaces"])
          .doUpdateSet({ confirmed_at: clockTime, confirmed_by: confirmedBy, reason }),
      ),
  );
}
