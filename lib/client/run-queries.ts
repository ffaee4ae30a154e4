import { queryOptions, useQuery } from "@tanstack/react-query";
import { useItemList } from "#lib/client/list-queries.ts";
import { findResumePoint, mergeMeasurements } from "#lib/client/merge-measurements.ts";
import { type Filters, queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import type { AnalysisRunDetail, AnalysisRunSummary, MeasurementList } from "#lib/contract/analysis-run.ts";

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
const chartFilters = { points: 600, limit: 10_000 };

export function useChartMeasurements(uid: string, enabled = true) {
  return useQuery({ ...chartMeasurements(uid), enabled });
}

/** The query for the measurements of a run's charts; what is loaded already is only completed. */
export function chartMeasurements(uid: string) {
  const queryKey = queryKeys.measurements(uid, chartFilters);
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client }): Promise<MeasurementList> => {
      const known = client.getQueryData<MeasurementList>(queryKey);
      const since = known === undefined ? undefined : findResumePoint(known, chartFilters.points);
      const path = `${runApiPath(uid)}/measurements`;
      const answer = await request<MeasurementList>({ path, query: { ...chartFilters, since }, signal });
      return known === undefined || since === undefined
        ? answer
        : { ...answer, items: mergeMeasurements(known.items, answer.items) };
    },
  });
}
