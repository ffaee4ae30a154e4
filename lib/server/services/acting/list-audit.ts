import { z } from "zod";
import type { AuditItem, AuditListQuery } from "#lib/contract/audit.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import {
  type AuditItemRow,
  auditItemColumns,
  auditItemTables,
  serializeAuditItem,
} from "#lib/server/services/acting/audit-item.ts";
import { readableAuditSql } from "#lib/server/services/acting/readable-audit.ts";
import { pageOf, parseListCursor } from "#lib/server/services/list-cursor.ts";
import { containsPattern, createSqlConditions } from "#lib/server/services/sql-conditions.ts";

const Key = z.tuple([z.number().int().min(1)]);

/**
 * Lists audit entries, newest first. `actor` matches parts of display name and subject; the other filters are exact.
 */
export async function listAudit({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: AuditListQuery;
}): Promise<{ items: AuditItem[]; nextCursor: string | null }> {
  const before = parseListCursor(Key, input.cursor);
  const sql = createSqlConditions();
  sql.and(readableAuditSql(sql, ctx.actor));
  sql.where(before?.[0], (value) => `a.seq < ${value}`);
  const actor = input.actor === undefined || input.actor === "" ? undefined : containsPattern(input.actor);
  sql.where(actor, (value) => `(a.actor_name ILIKE ${value} OR a.actor_subject ILIKE ${value})`);
  sql.where(input.action, (value) => `a.action = ${value}`);
  sql.where(input.outcome, (value) => `a.outcome = ${value}`);
  sql.where(input.source, (value) => `a.source = ${value}`);
  sql.where(input.cluster, (value) => `a.cluster = ${value}`);
  sql.where(input.namespace, (value) => `a.namespace = ${value}`);
  sql.where(input.name, (value) => `a.name = ${value}`);
  sql.where(input.from, (value) => `a.time >= ${value}::timestamptz`);
  sql.where(input.to, (value) => `a.time < ${value}::timestamptz`);
  const { rows } = await ctx.runtime.pool.query<AuditItemRow>(
    `SELECT ${auditItemColumns} FROM ${auditItemTables} WHERE ${sql.text()}
     ORDER BY a.seq DESC LIMIT ${sql.bind(input.limit + 1)}`,
    sql.values,
  );
  return pageOf({ rows, limit: input.limit, keyOf: (row) => [Number(row.seq)], toItem: serializeAuditItem });
}
