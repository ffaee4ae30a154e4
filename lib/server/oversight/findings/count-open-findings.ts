import type { FindingCounts } from "#lib/contract/finding.ts";
import type { StoreContext } from "#lib/server/platform/actor/actor.ts";
import { allOf } from "#lib/server/platform/db/conditions.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { isInState, isReadableFinding } from "./finding-row.ts";

/** Counts the open findings that the reader may see, by severity. */
export async function countOpenFindings({ ctx }: { ctx: StoreContext }): Promise<FindingCounts> {
  const rows = await readRows(
    ctx.runtime.pool,
    tables
      .selectFrom("finding as f")
      .select(["f.severity", countRows().as("count")])
      .where(() => allOf([isReadableFinding(ctx.actor.rights), isInState("open")]))
      .groupBy("f.severity"),
  );
  const open = { critical: 0, warning: 0, info: 0 };
  for (const { severity, count } of rows) open[severity] = count;
  return { open };
}
