import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { clockTime } from "#lib/server/platform/db/database-time.ts";
import { type Connection, write } from "#lib/server/platform/db/run-query.ts";
import { textAt } from "#lib/server/platform/db/sql-functions.ts";
import { type Columns, tables } from "#lib/server/platform/db/tables.ts";

/**
 * Voids every decision on these rollouts that is still in force, as when a run of theirs ends. Returns how many.
 * Rollbacks that are bound to one of `keptChecksums` stay: a person may ask for one of the run that has just begun
 * before the end of the one before is seen.
 */
export async function voidDecisions(
  tx: Connection,
  { rolloutIds, keptChecksums = [] }: { rolloutIds: readonly string[]; keptChecksums?: readonly string[] },
): Promise<number> {
  if (rolloutIds.length === 0) return 0;
  return write(
    tx,
    tables
      .updateTable("gate_decision")
      .set(() => ({ voided_at: clockTime }) satisfies Columns<"gate_decision">)
      .where(({ ref }) => isOneOf(ref("rollout_id"), rolloutIds, "uuid"))
      .where("voided_at", "is", null)
      .where((eb) =>
        eb.not(eb.and([eb("verdict", "=", "rollback"), isOneOf(textAt(eb.ref("bound"), "checksum"), keptChecksums)])),
      ),
  );
}
