import { type Expression, expressionBuilder } from "kysely";
import type { Period, TimeSpan } from "#lib/contract/common.ts";
import { allOf, type Condition, given } from "#lib/server/platform/db/conditions.ts";
import { secondsBefore, transactionTime } from "#lib/server/platform/db/database-time.ts";
import { asTime } from "#lib/server/records/list-cursor.ts";

const hours = { "1h": 1, "24h": 24, "7d": 7 * 24, "30d": 30 * 24 } as const satisfies Record<Period, number>;

/** Returns the condition that a time is in the span, by the database's clock; undefined if the span has no limits. */
export function isInTimeSpan(time: Expression<Date>, { last, from, to }: TimeSpan): Condition | undefined {
  if (last === undefined && from === undefined && to === undefined) return undefined;
  const eb = expressionBuilder();
  return allOf([
    given(last, (period) => eb(time, ">=", secondsBefore(transactionTime, hours[period] * 3600))),
    given(from, (text) => eb(time, ">=", asTime(text))),
    given(to, (text) => eb(time, "<", asTime(text))),
  ]);
}
