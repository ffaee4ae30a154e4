import { sql } from "kysely";
import type { Pool } from "pg";
import { readRow } from "#lib/server/platform/db/run-query.ts";

/**
 * Returns the limits that a connection asks the database for as it opens. A pooler in transaction mode refuses them: they
 * would belong to whoever gets its connection next. Behind one the role has them (docs/scaling.md), and the client's own
 * limit holds in any case.
 */
export function serverLimits({ isPooled, statementMs }: { isPooled: boolean; statementMs: number }): {
  statement_timeout?: number;
} {
  return isPooled ? {} : { statement_timeout: statementMs };
}

/** Returns whether the database ends statements of this pool that take too long, whoever set the limit. */
export async function hasStatementLimit(pool: Pool): Promise<boolean> {
  const row = await readRow(
    pool,
    sql<{ limited: boolean }>`SELECT current_setting('statement_timeout') <> '0' AS limited`,
  );
  return row?.limited === true;
}
