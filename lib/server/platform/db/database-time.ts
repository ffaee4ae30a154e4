import { type Expression, type RawBuilder, sql } from "kysely";
import { type Connection, readRow } from "#lib/server/platform/db/run-query.ts";

/** When the transaction began, by the database's clock. */
export const transactionTime = sql<Date>`now()`;
/** The current time of the database's clock, which also advances within a transaction. */
export const clockTime = sql<Date>`clock_timestamp()`;

/** Returns the time that is this many seconds after the other one. */
export function secondsAfter(time: Expression<Date | null>, seconds: number | Expression<number>): RawBuilder<Date> {
  return sql`${time} + make_interval(secs => ${seconds})`;
}

/** Returns the time that is this many seconds before the other one. */
export function secondsBefore(time: Expression<Date | null>, seconds: number | Expression<number>): RawBuilder<Date> {
  return sql`${time} - make_interval(secs => ${seconds})`;
}

/** Reads the database's clock, which every process shares. */
export async function readDatabaseTime(connection: Connection): Promise<Date> {
  const row = await readRow(connection, sql<{ now: Date }>`SELECT ${clockTime} AS now`);
  return row?.now ?? new Date();
}
