import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useItemList } from "#lib/client/list-queries.ts";
import { type Filters, queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import { useDetail } from "#lib/client/use-detail.ts";
import type {
  AnalysisRunDetail,
  AnalysisRunSummary,
  LeftOut,
  Measurement,
  MeasurementList,
} from "#lib/contract/analysis-run.ts";

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

/**
 * Returns the position from which to read on; undefined if everything must be read again, because the server gave no
 * position or because many more points came together than a chart is meant to have: an answer itself has up to `points`
 * of each stretch, and as many that are not Successful.
 */
export function findResumePoint({ items, latest }: MeasurementList, points: number): string | undefined {
  const isCrowded = [...Map.groupBy(items, ({ metric }) => metric).values()].some((own) => own.length > 3 * points);
  return isCrowded ? undefined : (latest ?? undefined);
}

/** Completes a loaded answer by one that continues it: what either left out is left out of the whole. */
export function mergeAnswers(known: MeasurementList, newer: MeasurementList): MeasurementList {
  return {
    ...newer,
    items: mergeMeasurements(known.items, newer.items),
    leftOut: addLeftOut(known.leftOut ?? [], newer.leftOut ?? []),
  };
}

/** Completes loaded measurements: of each metric, the newer ones replace all from their first seq on. */
export function mergeMeasurements(known: readonly Measurement[], newer: readonly Measurement[]): Measurement[] {
  const added = Map.groupBy(newer, ({ metric }) => metric);
  const merged = new Map(Map.groupBy(known, ({ metric }) => metric));
  for (const [metric, own] of added) {
    const firstSeq = Math.min(...own.map(({ seq }) => seq));
    merged.set(metric, [...(merged.get(metric) ?? []).filter(({ seq }) => seq < firstSeq), ...own]);
  }
  return [...merged.values()].flat();
}

function addLeftOut(one: readonly LeftOut[], other: readonly LeftOut[]): LeftOut[] {
  return [...Map.groupBy([...one, ...other], ({ metric }) => metric)].map(([metric, parts]) => ({
    metric,
    count: parts.reduce((sum, { count }) => sum + count, 0),
    unsuccessful: parts.reduce((sum, { unsuccessful }) => sum + unsuccessful, 0),
  }));
}
