import { sql } from "kysely";
import type { FindingSeverity } from "#lib/domain/oversight/rule.ts";
import { type Connection, type RowOf, readRow, write } from "#lib/server/platform/db/run-query.ts";
import { rankSeverity } from "#lib/server/platform/db/severity-rank.ts";
import { countRows } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { decideWait, findingColumns, ownWaitOf, waitColumns } from "#lib/server/records/rollout-wait.ts";

const { ref } = fragment<{ f: "finding" }>();

const rank = rankSeverity(ref("f.severity"));

const selectCounts = tables
  .selectFrom("finding as f")
  .select([
    countRows().as("open_findings"),
    sql<FindingSeverity | null>`(array_agg(${ref("f.severity")} ORDER BY ${rank}, ${ref("f.since")}))[1]`.as(
      "worst_finding",
    ),
    sql<Date | null>`(array_agg(${ref("f.since")} ORDER BY ${rank}, ${ref("f.since")}))[1]`.as("worst_finding_since"),
  ])
  .where("f.closed_at", "is", null)
  .where("f.acknowledged_at", "is", null);

/**
 * Stores with a rollout the number of its open findings without acknowledgement, the most severe one, and what it waits
 * for with that. Returns whether anything changed.
 */
export async function countFindings(connection: Connection, rolloutId: string): Promise<boolean> {
  // Only a statement that begins after the lock sees the rows that another process has just stored.
  const stored = await readRow(
    connection,
    tables
      .selectFrom("rollout")
      .select(["open_findings", ...waitColumns, ...findingColumns])
      .where("id", "=", rolloutId)
      .forNoKeyUpdate(),
  );
  if (stored === undefined) return false;
  const counted = await readRow(connection, selectCounts.where("f.rollout_id", "=", rolloutId));
  if (counted === undefined) throw new Error("a count has no row");
  const wait = decideWait(ownWaitOf(stored), { ...counted, presence: stored.presence });
  if (isSame(counted, stored) && wait.attention_reason === stored.attention_reason) return false;
  await write(
    connection,
    tables
      .updateTable("rollout")
      .set({ ...counted, ...(wait === stored ? {} : wait) })
      .where("id", "=", rolloutId),
  );
  return true;
}

type Counts = RowOf<typeof selectCounts>;

function isSame(counted: Counts, stored: Counts): boolean {
  return (
    counted.open_findings === stored.open_findings &&
    counted.worst_finding === stored.worst_finding &&
    counted.worst_finding_since?.getTime() === stored.worst_finding_since?.getTime()
  );
}
