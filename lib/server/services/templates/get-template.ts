import type { TemplateDetail, TemplatePath } from "#lib/contract/template.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { ServiceError } from "#lib/server/actor/service-error.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { readRunSpec } from "#lib/server/services/analysis-runs/metric-rows.ts";
import { readableSql } from "#lib/server/services/read-scope.ts";
import { createSqlConditions } from "#lib/server/services/sql-conditions.ts";
import {
  addressOf,
  currentVersion,
  formatTemplateId,
  readableTemplateSql,
  serializeTemplate,
  type TemplateRow,
  templateColumns,
  usesTemplate,
} from "#lib/server/services/templates/template-row.ts";

/** Returns the template at this address: the one that the cluster has, else the one seen last. Throws `not_found`. */
export async function getTemplate({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: TemplatePath;
}): Promise<TemplateDetail> {
  const sql = createSqlConditions();
  const [cluster, namespace, kind, name] = addressOf(input).map(sql.bind);
  sql.and(readableTemplateSql(sql, ctx.actor.rights));
  const { rows } = await ctx.runtime.pool.query<TemplateRow>(
    `SELECT ${templateColumns} FROM analysis_template t JOIN analysis_template_version v ON ${currentVersion}
     WHERE t.cluster = ${cluster} AND t.namespace = ${namespace} AND t.kind = ${kind} AND t.name = ${name}
       AND ${sql.text()}
     ORDER BY (t.presence = 'deleted'), t.first_seen_at DESC LIMIT 1`,
    sql.values,
  );
  const [row] = rows;
  if (row === undefined)
    throw new ServiceError("not_found", `There is no ${input.templateKind} ${input.name} in ${input.cluster}.`);
  const [rollouts, composedInto] = await Promise.all([readUsers(ctx, row.uid), readComposites(ctx, row.uid)]);
  return {
    ...serializeTemplate(row),
    spec: row.spec,
    args: readRunSpec(row.spec).args,
    rollouts,
    composedInto,
    composedOf: row.template_refs,
  };
}

async function readUsers({ runtime, actor }: ServiceContext, uid: string): Promise<TemplateDetail["rollouts"]> {
  const sql = createSqlConditions();
  sql.where(uid, (value) => `t.uid = ${value}`);
  sql.and(readableSql(sql, actor.rights, { cluster: "r.cluster", namespace: "r.namespace", name: "r.name" }));
  const { rows } = await runtime.pool.query<{ cluster: string; namespace: string; kind: string; name: string }>(
    `SELECT r.cluster, r.namespace, r.kind, r.name FROM analysis_template t JOIN rollout r ON ${usesTemplate}
     WHERE ${sql.text()} ORDER BY r.namespace, r.name LIMIT 200`,
    sql.values,
  );
  return rows.map((row) => ({ id: formatObjectRef(row), ...row }));
}

/**
 * Reads the templates whose `templates` name this one. A template may name those of its own namespace and those of the
 * cluster.
 */
async function readComposites({ runtime, actor }: ServiceContext, uid: string): Promise<string[]> {
  const sql = createSqlConditions();
  sql.where(uid, (value) => `t.uid = ${value}`);
  sql.and(readableSql(sql, actor.rights, { cluster: "o.cluster", namespace: "o.namespace" }));
  const { rows } = await runtime.pool.query<Pick<TemplateRow, "cluster" | "namespace" | "kind" | "name">>(
    `SELECT o.cluster, o.namespace, o.kind, o.name FROM analysis_template t JOIN analysis_template o
       ON o.cluster = t.cluster AND o.presence = 'live' AND (t.namespace = '' OR o.namespace = t.namespace)
      AND o.template_refs @> to_jsonb(ARRAY[t.kind || '/' || t.name])
     WHERE ${sql.text()} ORDER BY o.namespace, o.name LIMIT 200`,
    sql.values,
  );
  return rows.map(formatTemplateId);
}
