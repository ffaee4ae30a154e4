import type { TemplateDetail, TemplatePath } from "#lib/contract/template.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { measuringProviderOf } from "#lib/domain/providers.ts";
import {
  formatTemplateId,
  isTemplateAt,
  namesTemplate,
  selectTemplates,
  serializeTemplate,
  usesTemplate,
} from "#lib/server/pages/template/template-row.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf } from "#lib/server/platform/db/conditions.ts";
import { readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { rolloutPlace } from "#lib/server/records/rollout-row.ts";

/** Returns the template at this address: the one that the cluster has, else the one seen last. Throws `not_found`. */
export async function getTemplate({ ctx, input }: Call<TemplatePath>): Promise<TemplateDetail> {
  const query = selectTemplates
    .where(isTemplateAt(input, ctx.actor.rights))
    .orderBy((eb) => eb("t.presence", "=", "deleted"))
    .orderBy("t.first_seen_at", "desc")
    .limit(1);
  const row = await readRow(ctx.runtime.pool, query);
  if (row === undefined)
    throw new ServiceError("not_found", `There is no ${input.templateKind} ${input.name} in ${input.cluster}.`);
  const [rollouts, composedInto] = await Promise.all([readUsers(ctx, row.uid), readComposites(ctx, row.uid)]);
  return {
    ...serializeTemplate(row),
    spec: row.spec,
    args: measuringProviderOf(row.kind).explaining.readTemplate(row.spec).args,
    rollouts,
    composedInto,
    composedOf: row.template_refs,
  };
}

async function readUsers({ runtime, actor }: ServiceContext, uid: string): Promise<TemplateDetail["rollouts"]> {
  const query = tables
    .selectFrom("analysis_template as t")
    .innerJoin("rollout as r", (join) => join.on(usesTemplate))
    .select(["r.cluster", "r.namespace", "r.kind", "r.name"])
    .where((eb) => allOf([eb("t.uid", "=", uid), isReadable(actor.rights, rolloutPlace)]))
    .orderBy("r.namespace")
    .orderBy("r.name")
    .limit(200);
  const rows = await readRows(runtime.pool, query);
  return rows.map((row) => ({ id: formatObjectRef(row), ...row }));
}

/**
 * Reads the templates whose `templates` name this one. A template may name those of its own namespace and those of the
 * cluster.
 */
async function readComposites({ runtime, actor }: ServiceContext, uid: string): Promise<string[]> {
  const query = tables
    .selectFrom("analysis_template as t")
    .innerJoin("analysis_template as o", "o.cluster", "t.cluster")
    .select(["o.cluster", "o.namespace", "o.kind", "o.name"])
    .where((eb) =>
      allOf([
        eb("t.uid", "=", uid),
        eb("o.presence", "=", "live"),
        eb.or([eb("t.namespace", "=", ""), eb("o.namespace", "=", eb.ref("t.namespace"))]),
        namesTemplate(eb.ref("o.template_refs")),
        isReadable(actor.rights, { cluster: eb.ref("o.cluster"), namespace: eb.ref("o.namespace") }),
      ]),
    )
    .orderBy("o.namespace")
    .orderBy("o.name")
    .limit(200);
  return (await readRows(runtime.pool, query)).map(formatTemplateId);
}
