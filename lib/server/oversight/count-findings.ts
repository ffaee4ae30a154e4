import { findingSeverities } from "#lib/domain/oversight/rule.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRow, write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { decideWait, findingColumns, ownWaitOf, waitColumns } from "#lib/server/records/rollout-wait.ts";

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
  const counted = await readCounts(connection, rolloutId);
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

async function readCounts(connection: Connection, rolloutId: string) {
  const open = await prismaOn(connection).finding.findMany({
    where: { rolloutId, closedAt: null, acknowledgedAt: null },
    orderBy: { since: "asc" },
    select: { severity: true, since: true },
  });
  const worst = findingSeverities.findLast((severity) => open.some((finding) => finding.severity === severity));
  return {
    open_findings: open.length,
    worst_finding: worst ?? null,
    worst_finding_since: open.find(({ severity }) => severity === worst)?.since ?? null,
  };
}

type Counts = Awaited<ReturnType<typeof readCounts>>;

function isSame(counted: Counts, stored: Counts): boolean {
  return (
    counted.open_findings === stored.open_findings &&
    counted.worst_finding === stored.worst_finding &&
    counted.worst_finding_since?.getTime() === stored.worst_finding_since?.getTime()
  );
}
