import type { TemplateExportQuery, TemplateSummary } from "#lib/contract/template.ts";
import { type CsvColumn, columnsOf, exportOf } from "#lib/server/pages/export-list.ts";
import { listTemplates } from "#lib/server/pages/template/list-templates.ts";

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
