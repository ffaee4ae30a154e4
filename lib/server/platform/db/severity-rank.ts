import { type RawBuilder, sql } from "kysely";
import { findingSeverities } from "#lib/domain/oversight/rule.ts";

const worstFirst = sql.join(findingSeverities.toReversed().map((severity) => sql.lit(severity)));

/** Ranks a severity in SQL, for an order with the worst first: 1 is critical. */
export function rankSeverity(severity: unknown): RawBuilder<number> {
  return sql<number>`array_position(ARRAY[${worstFirst}], ${severity})`;
}
