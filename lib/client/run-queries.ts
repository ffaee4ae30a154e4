import { queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import type { ListPage } from "#lib/client/list-queries.ts";
import { useItemList } from "#lib/client/list-queries.ts";
import { type Filters, queryKeys } from "#lib/client/query-keys.ts";
import { formatQuery, request } from "#lib/client/request.ts";
import type {
  AnalysisRunDetail,
  AnalysisRunSummary,
  EarlierSeriesList,
  Measurement,
} from "#lib/contract/analysis-run.ts";

function runApiPath(uid: string): string {
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

function runOptions(uid: string) {
  return queryOptions({
    queryKey: queryKeys.run(uid),
    queryFn: ({ signal }) => request<AnalysisRunDetail>({ path: runApiPath(uid), signal }),
  });
}

export function useRun(uid: string, enabled = true) {
  return useQuery({ ...runOptions(uid), enabled });
}

/** As many points per metric as a chart can resolve; the server keeps minima and maxima. */
const chartPoints = 600;

function chartOptions(uid: string) {
  const filters = { points: chartPoints, limit: 10_000 };
  return queryOptions({
    queryKey: queryKeys.measurements(uid, filters),
    queryFn: ({ signal }) =>
      request<ListPage<Measurement>>({ path: `${runApiPath(uid)}/measurements`, query: filters, signal }),
  });
}

export function useChartMeasurements(uid: string, enabled = true) {
  return useQuery({ ...chartOptions(uid), enabled });
}

/** Loads several runs, each with the measurements of its charts, in the same order. */
export function useRunsWithMeasurements(uids: readonly string[]) {
  const runs = useQueries({ queries: uids.map(runOptions) });
  const measurements = useQueries({ queries: uids.map(chartOptions) });
  const queries = [...runs, ...measurements];
  const data = runs.flatMap((run, index) => {
    const items = measurements[index]?.data?.items;
    return run.data === undefined || items === undefined ? [] : [{ run: run.data, measurements: items }];
  });
  return {
    data: data.length === uids.length ? data : undefined,
    error: queries.find(({ error }) => error !== null)?.error ?? null,
    retry: () => {
      for (const query of queries) void query.refetch();
    },
  };
}

/** Loads what earlier runs measured. They have ended, so that it is loaded once. */
export function useEarlierSeries(uid: string) {
  return useQuery({
    queryKey: queryKeys.earlierSeries(uid),
    queryFn: ({ signal }) => request<EarlierSeriesList>({ path: `${runApiPath(uid)}/earlier`, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export type MeasurementChoice = { order: "asc" | "desc"; only: "unsuccessful" | null };

/** Loads the measurements of one metric, page by page, exactly as recorded. */
export function useMeasurements(uid: string, metric: string, { order, only }: MeasurementChoice) {
  const filters = { metric, order, only };
  return useItemList<Measurement>({
    queryKey: queryKeys.measurements(uid, filters),
    path: `${runApiPath(uid)}/measurements`,
    filters,
    pageSize: 500,
  });
}

/** Returns the address of a run's export; of one metric, or of all of them. */
export function runExportHref(uid: string, format: "csv" | "json", metric?: string): string {
  return `${runApiPath(uid)}/export${formatQuery({ format, metric })}`;
}
