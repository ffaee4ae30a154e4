import type { ListPage } from "#lib/contract/common.ts";
import type { TemplateExportQuery, TemplateListQuery, TemplateSummary, templateSorts } from "#lib/contract/template.ts";
import type { Rights } from "#lib/domain/policy/rights.ts";
import { type CsvColumn, columnsOf, exportOf } from "#lib/server/pages/export-list.ts";
import {
  isReadableTemplate,
  selectTemplates,
  serializeTemplate,
  usesTemplate,
} from "#lib/server/pages/template/template-row.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { allOf, anyContains, type Condition, given } from "#lib/server/platform/db/conditions.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { bothWays, listOrder, type Orders, orderPart, readOrdered } from "#lib/server/records/list-order.ts";
import { rolloutPlace } from "#lib/server/records/rollout-row.ts";

const eb = fragment<{ t: "analysis_template"; v: "analysis_template_version" }>();

const orders: Orders<(typeof templateSorts)[number]> = {
  name: bothWays([
    orderPart(eb.ref("t.name"), "text"),
    orderPart(eb.ref("t.namespace"), "text"),
    orderPart(eb.ref("t.uid"), "text"),
  ]),
  cluster: bothWays([
    orderPart(eb.ref("t.cluster"), "text"),
    orderPart(eb.ref("t.kind"), "text"),
    orderPart(eb.ref("t.namespace"), "text"),
    orderPart(eb.ref("t.name"), "text"),
    orderPart(eb.ref("t.uid"), "text"),
  ]),
  writtenAt: bothWays([orderPart(eb.ref("v.written_at"), "timestamptz"), orderPart(eb.ref("v.template_uid"), "text")]),
};

/** Lists analysis templates of all kinds that the clusters have, by name, namespace and uid. */
export async function listTemplates({ ctx, input }: Call<TemplateListQuery>): Promise<ListPage<TemplateSummary>> {
  const { actor, runtime } = ctx;
  const order = listOrder(orders, { sort: input.sort, usual: "name", cursor: input.cursor });
  const query = selectTemplates.where(() =>
    allOf([
      eb("t.presence", "<>", "deleted"),
      isReadableTemplate(actor.rights),
      given(input.cluster, (cluster) => eb("t.cluster", "=", cluster)),
      given(input.namespace, (namespace) => eb("t.namespace", "=", namespace)),
      given(input.kind, (kind) => eb("t.kind", "=", kind)),
      given(input.usedBy, (name) => isUsedBy(name, actor.rights)),
      anyContains([eb.ref("t.name"), eb.ref("t.namespace")], input.q),
      order.isAfter,
    ]),
  );
  return readOrdered(runtime.pool, { query, order, limit: input.limit, toItem: serializeTemplate });
}

/** A rollout that the actor may not read must not be found by its name. */
function isUsedBy(name: string, rights: Rights): Condition {
  return eb.exists(
    eb
      .selectFrom("rollout as r")
      .select("r.id")
      .where("r.name", "=", name)
      .where(usesTemplate)
      .where(() => allOf([isReadable(rights, rolloutPlace)])),
  );
}

const columns: readonly CsvColumn<TemplateSummary>[] = [
  ...columnsOf<TemplateSummary>(["id", "uid", "cluster", "namespace", "kind", "name"]),
  ["metrics", ({ metrics }) => metrics.map(({ name }) => name)],
  ...columnsOf<TemplateSummary>(["usedBy", "version", "specHash", "writer", "writtenAt", "presence", "createdAt"]),
  ["updatedAt", ({ updatedAt }) => updatedAt],
];

/** Exports the templates that `listTemplates` lists, in the same order. */
export const exportTemplates = exportOf<TemplateSummary, TemplateExportQuery>({
  name: "templates",
  columns,
  list: listTemplates,
});
