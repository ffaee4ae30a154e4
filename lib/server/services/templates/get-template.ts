import type { TemplateDetail, TemplatePath } from "#lib/contract/template.ts";
import type { Runtime } from "#lib/server/runtime/runtime-types.ts";
import { readRunSpec } from "#lib/server/services/analysis-runs/metric-rows.ts";
import { formatRolloutId } from "#lib/server/services/rollouts/rollout-row.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";
import { ServiceError } from "#lib/server/services/service-error.ts";
import {
  addressOf,
  currentVersion,
  formatTemplateId,
  serializeTemplate,
  type TemplateRow,
  templateColumns,
  usesTemplate,
} from "#lib/server/services/templates/template-row.ts";

/** The template at this address: the one that the cluster has, else the one seen last. Throws `not_found`. */
export async function getTemplate({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: TemplatePath;
}): Promise<TemplateDetail> {
  const { rows } = await ctx.runtime.pool.query<TemplateRow>(
    `SELECT ${templateColumns} FROM analysis_template t JOIN analysis_template_version v ON ${currentVersion}
     WHERE t.cluster = $1 AND t.namespace = $2 AND t.kind = $3 AND t.name = $4
     ORDER BY (t.presence = 'deleted'), t.first_seen_at DESC LIMIT 1`,
    addressOf(input),
  );
  const [row] = rows;
  if (row === undefined)
    throw new ServiceError("not_found", `There is no ${input.templateKind} ${input.name} in ${input.cluster}.`);
  const [rollouts, composedInto] = await Promise.all([
    readUsers(ctx.runtime, row.uid),
    readComposites(ctx.runtime, row.uid),
  ]);
  return {
    ...serializeTemplate(row),
    spec: row.spec,
    args: readRunSpec(row.spec).args,
    rollouts,
    composedInto,
    composedOf: row.template_refs,
  };
}

async function readUsers(runtime: Runtime, uid: string): Promise<TemplateDetail["rollouts"]> {
  const { rows } = await runtime.pool.query<{ cluster: string; namespace: string; kind: string; name: string }>(
    `SELECT r.cluster, r.namespace, r.kind, r.name FROM analysis_template t JOIN rollout r ON ${usesTemplate}
     WHERE t.uid = $1 ORDER BY r.namespace, r.name LIMIT 200`,
    [uid],
  );
  return rows.map((row) => ({ id: formatRolloutId(row), ...row }));
}

/** A template's `templates` may name those of its own namespace and those of the cluster. */
async function readComposites(runtime: Runtime, uid: string): Promise<string[]> {
  const { rows } = await runtime.pool.query<Pick<TemplateRow, "cluster" | "namespace" | "kind" | "name">>(
    `SELECT o.cluster, o.namespace, o.kind, o.name FROM analysis_template t JOIN analysis_template o
       ON o.cluster = t.cluster AND o.presence = 'live' AND (t.namespace = '' OR o.namespace = t.namespace)
      AND o.template_refs @> to_jsonb(ARRAY[t.kind || '/' || t.name])
     WHERE t.uid = $1 ORDER BY o.namespace, o.name LIMIT 200`,
    [uid],
  );
  return rows.map(formatTemplateId);
}
