import type { InboxItem } from "#lib/contract/inbox.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";

/** Reads the oldest of each rollout's open critical findings, by rollout; rollouts without any are absent. */
export async function readWorstFindings(
  { pool }: Pick<Runtime, "pool">,
  ids: readonly string[],
): Promise<Map<string, NonNullable<InboxItem["finding"]>>> {
  const rows = await readRows(
    pool,
    tables
      .selectFrom("finding")
      .distinctOn("rollout_id")
      .select(["rollout_id", "id", "title"])
      .where(({ ref }) => isOneOf(ref("rollout_id"), ids, "uuid"))
      .where("severity", "=", "critical")
      .where("closed_at", "is", null)
      .where("acknowledged_at", "is", null)
      .orderBy("rollout_id")
      .orderBy("since"),
  );
  return new Map(
    rows.flatMap(({ rollout_id, id, title }) => (rollout_id === null ? [] : [[rollout_id, { id, title }]])),
  );
}
