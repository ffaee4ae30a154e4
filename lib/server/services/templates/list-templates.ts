import { z } from "zod";
import type { TemplateListQuery, TemplateSummary } from "#lib/contract/template.ts";
import { allOf, anyContains, given } from "#lib/server/db/conditions.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { parseListCursor, readPage } from "#lib/server/services/list-cursor.ts";
import { isReadableTemplate, selectTemplates, serializeTemplate } from "#lib/server/services/templates/template-row.ts";

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
  const query = selectTemplates
    .where((eb) =>
      allOf([
        eb("t.presence", "<>", "deleted"),
        isReadableTemplate(ctx.actor.rights),
        given(input.cluster, (cluster) => eb("t.cluster", "=", cluster)),
        given(input.namespace, (namespace) => eb("t.namespace", "=", namespace)),
        given(input.kind, (kind) => eb("t.kind", "=", kind)),
        anyContains([eb.ref("t.name"), eb.ref("t.namespace")], input.q),
        given(after, (key) => eb(eb.refTuple("t.name", "t.namespace", "t.uid"), ">", eb.tuple(...key))),
      ]),
    )
    .orderBy("t.name")
    .orderBy("t.namespace")
    .orderBy("t.uid");
  return readPage(ctx.runtime.pool, {
    query,
    limit: input.limit,
    keyOf: (row) => [row.name, row.namespace, row.uid],
    toItem: serializeTemplate,
  });
}
