import { z } from "zod";
import type { TemplateListQuery, TemplateSummary } from "#lib/contract/template.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { pageOf, parseListCursor } from "#lib/server/services/list-cursor.ts";
import { containsPattern, createSqlConditions } from "#lib/server/services/sql-conditions.ts";
import {
  currentVersion,
  readableTemplateSql,
  serializeTemplate,
  type TemplateRow,
  templateColumns,
} from "#lib/server/services/templates/template-row.ts";

const Key = z.tuple([z.string(), z.string(), z.string()]);

/** Lists analysis templates of both kinds that the clusters have, by name, namespace and uid. */
export async function listTemplates({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: TemplateListQuery;
}): Promise<{ items: TemplateSummary[]; nextCursor: string | null }> {
  const after = parseListCursor(Key, input.cursor);
  const sql = createSqlConditions(["t.presence <> 'deleted'"]);
  sql.and(readableTemplateSql(sql, ctx.actor.rights));
  sql.where(input.cluster, (value) => `t.cluster = ${value}`);
  sql.where(input.namespace, (value) => `t.namespace = ${value}`);
  sql.where(input.kind, (value) => `t.kind = ${value}`);
  sql.where(input.q === undefined || input.q === "" ? undefined : containsPattern(input.q), (value) => {
    return `(t.name ILIKE ${value} OR t.namespace ILIKE ${value})`;
  });
  sql.where(after?.[0], (name) => {
    return `(t.name, t.namespace, t.uid) > (${name}, ${sql.bind(after?.[1])}, ${sql.bind(after?.[2])})`;
  });
  const { rows } = await ctx.runtime.pool.query<TemplateRow>(
    `SELECT ${templateColumns} FROM analysis_template t JOIN analysis_template_version v ON ${currentVersion}
     WHERE ${sql.text()} ORDER BY t.name, t.namespace, t.uid LIMIT ${sql.bind(input.limit + 1)}`,
    sql.values,
  );
  return pageOf({
    rows,
    limit: input.limit,
    keyOf: (row) => [row.name, row.namespace, row.uid],
    toItem: serializeTemplate,
  });
}
