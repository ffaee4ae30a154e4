import { sql } from "kysely";
import { type Connection, readRow, write } from "#lib/server/platform/db/run-query.ts";
import { rankSeverity } from "#lib/server/platform/db/severity-rank.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";

const { ref } = fragment<{ f: "finding" }>();

const rank = rankSeverity(ref("f.severity"));

/**
 * Stores with a rollout the number of its open findings without acknowledgement, and the most severe one. Returns
 * whether anything changed.
 */
export async function countFindings(connection: Connection, rolloutId: string): Promise<boolean> {
  // Only a statement that begins after the lock sees the rows that another process has just stored.
  await readRow(connection, tables.selectFrom("rollout").select("id").where("id", "=", rolloutId).forNoKeyUpdate());
  const counted = tables
    .selectFrom("finding as f")
    .select(({ fn, ref }) => [
      fn.countAll<number>().as("open"),
      sql<"critical" | null>`(array_agg(${ref("f.severity")} ORDER BY ${rank}, ${ref("f.since")}))[1]`.as("worst"),
      sql<Date | null>`(array_agg(${ref("f.since")} ORDER BY ${rank}, ${ref("f.since")}))[1]`.as("since"),
    ])
    .where("f.rollout_id", "=", rolloutId)
    .where("f.closed_at", "is", null)
    .where("f.acknowledged_at", "is", null)
    .as("counted");
  const changed = await write(
    connection,
    tables
      .updateTable("rollout")
      .from(counted)
      .set((eb) => ({
        open_findings: sql<number>`${eb.ref("counted.open")}::int`,
        worst_finding: eb.ref("counted.worst"),
        worst_finding_since: eb.ref("counted.since"),
      }))
      .where("rollout.id", "=", rolloutId)
      .where(({ eb, or, ref }) =>
        or([
          eb("rollout.open_findings", "<>", sql<number>`${ref("counted.open")}::int`),
          eb("rollout.worst_finding", "is distinct from", ref("counted.worst")),
          eb("rollout.worst_finding_since", "is distinct from", ref("counted.since")),
        ]),
      ),
  );
  return changed > 0;
}
