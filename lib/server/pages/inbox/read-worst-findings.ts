import type { InboxItem } from "#lib/contract/inbox.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";

/** Reads the oldest of each rollout's open critical findings, by rollout; rollouts without any are absent. */
export async function readWorstFindings(
  { pool }: Pick<Runtime, "pool">,
  ids: readonly string[],
): Promise<Map<string, NonNullable<InboxItem["finding"]>>> {
  const findings = await prismaOn(pool).finding.findMany({
    where: { rolloutId: { in: [...ids] }, severity: "critical", closedAt: null, acknowledgedAt: null },
    orderBy: { since: "asc" },
    distinct: "rolloutId",
    select: { rolloutId: true, id: true, title: true },
  });
  return new Map(findings.flatMap(({ rolloutId, ...finding }) => (rolloutId === null ? [] : [[rolloutId, finding]])));
}
