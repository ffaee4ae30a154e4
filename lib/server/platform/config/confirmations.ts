import { clockTime, secondsBefore } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRow } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

/** Both digests of a removal: confirming one change says nothing about another. */
export type ConfigChange = { digest: string; replaces: string };

/** The code of a confirmation in `config_event`: it reports nothing about the config in force. */
export const confirmed = "config.confirmed";

/**
 * Returns whether an admin has confirmed within the last hour, by the database's clock, that one file may replace the
 * other. An hour is long enough for every replica to see it, and too short to accept the same fault another day.
 */
export async function isChangeConfirmed(pool: Connection, change: ConfigChange): Promise<boolean> {
  const confirmation = await readRow(
    pool,
    tables
      .selectFrom("config_event")
      .select("id")
      .where("code", "=", confirmed)
      .where("content", "=", contentOf(change))
      .where("at", ">", secondsBefore(clockTime, 3600))
      .limit(1),
  );
  return confirmation !== undefined;
}

/** The audit log says who confirmed it, and why. */
export async function confirmChange(tx: Connection, change: ConfigChange): Promise<void> {
  await prismaOn(tx).configEvent.create({
    data: { code: confirmed, content: contentOf(change) },
    select: { id: true },
  });
}

function contentOf({ digest, replaces }: ConfigChange): string {
  return `${digest} ${replaces}`;
}
