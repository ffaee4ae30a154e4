import { useQueries, useQuery } from "@tanstack/react-query";
import { withBasePath } from "#lib/client/base-path.ts";
import { useItemList } from "#lib/client/list-queries.ts";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import { chartMeasurements, runApiPath } from "#lib/client/run-queries.ts";
import type { AnalysisRunDetail, EarlierSeriesList, Measurement } from "#lib/contract/analysis-run.ts";
import { formatQuery } from "#packages/client/src/send.ts";

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
  return withBasePath(`${runApiPath(uid)}/export${formatQuery({ format, metric })}`);
}

/** Loads several runs, each with the measurements of its charts, in the same order. */
export function useRunsWithMeasurements(uids: readonly string[]) {
  const runs = useQueries({
    queries: uids.map((uid) => ({
      queryKey: queryKeys.run(uid),
      queryFn: ({ signal }: { signal: AbortSignal }) => request<AnalysisRunDetail>({ path: runApiPath(uid), signal }),
    })),
  });
  const measurements = useQueries({ queries: uids.map(chartMeasurements) });
  const queries = [...runs, ...measurements];
  const data = runs.flatMap((run, index) => {
    const list = measurements[index]?.data;
    if (run.data === undefined || list === undefined) return [];
    return [{ run: run.data, measurements: list.items, leftOut: list.leftOut ?? [] }];
  });
  return {
    data: data.length === uids.length ? data : undefined,
    error: queries.find(({ error }) => error !== null)?.error ?? null,
    retry: () => {
      for (const query of queries) void query.refetch();
    },
  };
}
