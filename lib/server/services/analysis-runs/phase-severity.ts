import { type Expression, type RawBuilder, sql } from "kysely";

/**
 * Ranks the phase of a run or an Experiment: the worst has the highest number. Word for word as in the indexes of
 * migration 20261124001000_list_orders.
 */
export function phaseSeverity(phase: Expression<string>): RawBuilder<number> {
  return sql<number>`CASE ${phase} WHEN 'Failed' THEN 7 WHEN 'Error' THEN 6 WHEN 'Inconclusive' THEN 5
    WHEN 'Running' THEN 4 WHEN 'Pending' THEN 3 WHEN '' THEN 3 WHEN 'Successful' THEN 1 ELSE 2 END`;
}
