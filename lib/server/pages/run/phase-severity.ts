import { type Expression, expressionBuilder, type RawBuilder } from "kysely";
import type { Condition } from "#lib/server/platform/db/conditions.ts";
import { numberFor } from "#lib/server/platform/db/sql-functions.ts";

const severities = { Failed: 7, Error: 6, Inconclusive: 5, Running: 4, Pending: 3, "": 3, Successful: 1 };

/**
 * Ranks the phase of a run or an Experiment: the worst has the highest number. Word for word as in the indexes of
 * prisma/migrations.
 */
export function phaseSeverity(phase: Expression<string>): RawBuilder<number> {
  return numberFor(phase, severities, expressionBuilder().lit(2));
}

/** Returns the condition that a run or an Experiment has the phase. The controller sets none at first: that is Pending. */
export function hasPhase(phase: Expression<string>, wanted: string): Condition {
  const eb = expressionBuilder();
  return wanted === "Pending" ? eb(phase, "in", ["Pending", ""]) : eb(phase, "=", wanted);
}
