import { type Expression, expressionBuilder, type RawBuilder, sql } from "kysely";
import type { Condition } from "#lib/server/platform/db/conditions.ts";

/**
 * Ranks the phase of a run or an Experiment: the worst has the highest number. Word for word as in the indexes of
 * prisma/migrations.
 */
export function phaseSeverity(phase: Expression<string>): RawBuilder<number> {
  return sql<number>`CASE ${phase} WHEN 'Failed' THEN 7 WHEN 'Error' THEN 6 WHEN 'Inconclusive' THEN 5
    WHEN 'Running' THEN 4 WHEN 'Pending' THEN 3 WHEN '' THEN 3 WHEN 'Successful' THEN 1 ELSE 2 END`;
}

/** Returns the condition that a run or an Experiment has the phase. The controller sets none at first: that is Pending. */
export function hasPhase(phase: Expression<string>, wanted: string): Condition {
  const eb = expressionBuilder();
  return wanted === "Pending" ? eb(phase, "in", ["Pending", ""]) : eb(phase, "=", wanted);
}
