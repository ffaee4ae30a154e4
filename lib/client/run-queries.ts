import { useQuery } from "@tanstack/react-query";
import type { ListPage } from "#lib/client/list-queries.ts";
import { useItemList } from "#lib/client/list-queries.ts";
import { type Filters, queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import type { AnalysisRunDetail, AnalysisRunSummary, Measurement } from "#lib/contract/analysis-run.ts";

/** Returns the API path of a run. */
export function runApiPath(uid: string): string {
  return `/api/v1/analysis-runs/${encodeURIComponent(uid)}`;
}

export function useRuns(filters: Filters) {
  return useItemList<AnalysisRunSummary>({
    queryKey: queryKeys.runList(filters),
    path: "/api/v1/analysis-runs",
    filters,
    pageSize: 100,
  });
}

export function useRun(uid: string, enabled = true) {
  return useQuery({
    queryKey: queryKeys.run(uid),
    queryFn: ({ signal }) => request<AnalysisRunDetail>({ path: runApiPath(uid), signal }),
    enabled,
  });
}

/** As many points per metric as a chart can resolve; the server keeps minima and maxima. */
export const chartFilters = { points: 600, limit: 10_000 };

export function useChartMeasurements(uid: string, enabled = true) {
  return useQuery({
    queryKey: queryKeys.measurements(uid, chartFilters),
    queryFn: ({ signal }) => requestChartMeasurements(uid, signal),
    enabled,
  });
}

export function requestChartMeasurements(uid: string, signal: AbortSignal): Promise<ListPage<Measurement>> {
  return request<ListPage<Measurement>>({ path: `${runApiPath(uid)}/measurements`, query: chartFilters, signal });
}
