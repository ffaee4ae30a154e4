import type { TemplateExportQuery, TemplateSummary } from "#lib/contract/template.ts";
import { type CsvColumn, exportOf } from "#lib/server/pages/export-list.ts";
import { listTemplates } from "#lib/server/pages/template/list-templates.ts";

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
export const exportTemplates = exportOf<TemplateSummary, TemplateExportQuery>({
  name: "templates",
  columns,
  list: listTemplates,
});
