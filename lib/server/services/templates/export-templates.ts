import type { TemplateExportQuery, TemplateSummary } from "#lib/contract/template.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { type CsvColumn, exportList, type ListExport } from "#lib/server/services/export-list.ts";
import { listTemplates } from "#lib/server/services/templates/list-templates.ts";

const columns: readonly CsvColumn<TemplateSummary>[] = [
  ["id", ({ id }) => id],
  ["uid", ({ uid }) => uid],
  ["cluster", ({ cluster }) => cluster],
  ["namespace", ({ namespace }) => namespace],
  ["kind", ({ kind }) => kind],
  ["name", ({ name }) => name],
  ["metrics", ({ metrics }) => metrics.map(({ name }) => name)],
  ["usedBy", ({ usedBy }) => usedBy],
  ["version", ({ version }) => version],
  ["specHash", ({ specHash }) => specHash],
  ["writer", ({ writer }) => writer],
  ["writtenAt", ({ writtenAt }) => writtenAt],
  ["presence", ({ presence }) => presence],
  ["createdAt", ({ createdAt }) => createdAt],
  ["updatedAt", ({ updatedAt }) => updatedAt],
];

/** Exports the templates that `listTemplates` lists, in the same order. */
export async function exportTemplates({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: TemplateExportQuery;
}): Promise<ListExport> {
  const readPage = (page: { limit: number; cursor: string | undefined }) =>
    listTemplates({ ctx, input: { ...input, ...page } });
  return exportList({ name: "templates", columns, readPage });
}
