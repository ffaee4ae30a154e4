import { sql } from "kysely";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { type Connection, readRow } from "#lib/server/platform/db/run-query.ts";
import { isInTheWay } from "./delete-old-rows.ts";
import { listWholeMonths } from "./plan-retention.ts";

/** The runs of a month have ended by then and are packed, except for a few. */
const afterDays = 45;

/**
 * Drops the partitions of months whose measurements are packed: deleted rows leave their pages and all of their index
 * behind. Another time, if a reader or a batch is in the way.
 */
export async function dropPackedMonths(connection: Connection): Promise<void> {
  const now = await readDatabaseTime(connection);
  for (const month of await listWholeMonths(connection, new Date(now.getTime() - afterDays * 86_400_000))) {
    try {
      await readRow(connection, sql`SELECT drop_packed_measurement_partition(${month}::date)`);
    } catch (error) {
      if (!isInTheWay(error)) throw error;
    }
  }
}
