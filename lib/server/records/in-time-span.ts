import { type Expression, type SqlBool, sql } from "kysely";
import type { Period, TimeSpan } from "#lib/contract/list-options.ts";
import { allOf, type Condition, given } from "#lib/server/platform/db/conditions.ts";
import { transactionTime } from "#lib/server/platform/db/database-time.ts";
import { asTime } from "#lib/server/records/list-cursor.ts";

const intervals = {
  "1h": sql`interval '1 hour'`,
  "24h": sql`interval '24 hours'`,
  "7d": sql`interval '7 days'`,
  "30d": sql`interval '30 days'`,
} as const satisfies Record<Period, unknown>;

/** Returns the condition that a time is in the span, by the database's clock; undefined if the span has no limits. */
export function isInTimeSpan(time: Expression<Date>, { last, from, to }: TimeSpan): Condition | undefined {
  if (last === undefined && from === undefined && to === undefined) return undefined;
  return allOf([
    given(last, (period) => sql<SqlBool>`${time} >= ${transactionTime} - ${intervals[period]}`),
    given(from, (text) => sql<SqlBool>`${time} >= ${asTime(text)}`),
    given(to, (text) => sql<SqlBool>`${time} < ${asTime(text)}`),
  ]);
}
