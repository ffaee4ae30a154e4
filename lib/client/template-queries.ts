import { useItemList } from "#lib/client/list-queries.ts";
import { type Filters, queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import { templateApiPath } from "#lib/client/template-path.ts";
import { useDetail } from "#lib/client/use-detail.ts";
import type { TemplateDetail, TemplateSummary, TemplateVersion } from "#lib/contract/template.ts";

export function useTemplates(filters: Filters) {
  return useItemList<TemplateSummary>({
    queryKey: queryKeys.templateList(filters),
    path: "/api/v1/templates",
    filters,
    pageSize: 100,
  });
}

export function useTemplate(id: string) {
  return useDetail({
    queryKey: queryKeys.templateById(id),
    queryFn: ({ signal }) => request<TemplateDetail>({ path: templateApiPath(id), signal }),
  });
}

/** Loads every spec that the template was seen with, newest first. */
export function useTemplateVersions(id: string) {
  return useItemList<TemplateVersion>({
    queryKey: queryKeys.templateVersions(id),
    path: `${templateApiPath(id)}/versions`,
  });
}
