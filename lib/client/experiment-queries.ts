import { useItemList } from "#lib/client/list-queries.ts";
import { type Filters, queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import { useDetail } from "#lib/client/use-detail.ts";
import type { ExperimentDetail, ExperimentSummary } from "#lib/contract/experiment.ts";

export function useExperiments(filters: Filters, { enabled = true, pageSize = 100 } = {}) {
  return useItemList<ExperimentSummary>({
    queryKey: queryKeys.experimentList({ ...filters, pageSize }),
    path: "/api/v1/experiments",
    filters,
    pageSize,
    enabled,
  });
}

export function useExperiment(uid: string) {
  return useDetail({
    queryKey: queryKeys.experiment(uid),
    queryFn: ({ signal }) =>
      request<ExperimentDetail>({ path: `/api/v1/experiments/${encodeURIComponent(uid)}`, signal }),
  });
}
