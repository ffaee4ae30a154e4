import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useItemList } from "#lib/client/list-queries.ts";
import { findResumePoint, mergeAnswers } from "#lib/client/merge-measurements.ts";
import { type Filters, queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import { useDetail } from "#lib/client/use-detail.ts";
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
  return useDetail({
    queryKey: queryKeys.run(uid),
    queryFn: ({ signal }) => request<AnalysisRunDetail>({ path: runApiPath(uid), signal }),
    enabled,
  });
}

/** Four for each five or so pixels of a chart; the server adds what is not Successful, and says what it leaves out. */
const chartFilters = { points: 800 };

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
      const answer = await request<MeasurementList>({
        path: measurementsPath(uid),
        query: { ...chartFilters, since },
        signal,
      });
      return known === undefined || since === undefined ? answer : mergeAnswers(known, answer);
    },
  });
}

/** A part of a run's time, ISO 8601. */
export type RunPart = { from: string; to: string };

/**
 * Loads the measurements that ended in a part of a run's time, with as many points as the whole would have. While another
 * part loads, the data are still those of the part before.
 */
export function usePartMeasurements(uid: string, part: RunPart | undefined) {
  const filters = { ...chartFilters, from: part?.from ?? null, to: part?.to ?? null };
  return useQuery({
    queryKey: queryKeys.measurements(uid, filters),
    queryFn: async ({ signal }) => ({
      part,
      answer: await request<MeasurementList>({ path: measurementsPath(uid), query: filters, signal }),
    }),
    enabled: part !== undefined,
    placeholderData: keepPreviousData,
  });
}

function measurementsPath(uid: string): string {
  return `${runApiPath(uid)}/measurements`;
}
