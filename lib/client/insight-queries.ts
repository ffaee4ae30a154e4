import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import type { AnalysisInsights, ReleaseInsights } from "#lib/contract/insight.ts";

/** What figures are asked for: a number of days until now, or a period of its own. Empty: not set. */
export type InsightFilters = {
  days: string;
  from: string;
  to: string;
  cluster: string;
  namespace: string;
  kind: string;
  rollout: string;
};

const defaultDays = 30;
const dayMs = 86_400_000;
/** Figures of weeks: they need not follow every change. */
const refetchMs = 60_000;

export function useReleaseInsights(filters: InsightFilters, enabled = true) {
  return useQuery({
    queryKey: queryKeys.insights("releases", filters),
    queryFn: ({ signal }) =>
      request<ReleaseInsights>({
        path: "/api/v1/insights/releases",
        query: { ...toQuery(filters), timeZone: visitorZone() },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: refetchMs,
    staleTime: refetchMs / 2,
    enabled,
  });
}

export function useAnalysisInsights(filters: InsightFilters & { template: string; metric: string }) {
  const { template, metric } = filters;
  return useQuery({
    queryKey: queryKeys.insights("analysis", filters),
    queryFn: ({ signal }) =>
      request<AnalysisInsights>({
        path: "/api/v1/insights/analysis",
        query: { ...toQuery(filters), template: template || undefined, metric: metric || undefined },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: refetchMs,
    staleTime: refetchMs / 2,
  });
}

/** Returns the time zone of the visitor, in which days and hours are counted. */
export function visitorZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

/** Says whether this is a number of days that figures can be asked for. */
export function isDayCount(days: string): boolean {
  return /^[1-9]\d{0,2}$/.test(days) && Number(days) <= 400;
}

function toQuery({ days, from, to, cluster, namespace, kind, rollout }: InsightFilters) {
  const isOwn = from !== "" || to !== "";
  const since = Date.now() - (isDayCount(days) ? Number(days) : defaultDays) * dayMs;
  return {
    from: isOwn ? from || undefined : new Date(since).toISOString(),
    to: isOwn ? to || undefined : undefined,
    cluster: cluster || undefined,
    namespace: namespace || undefined,
    kind: kind || undefined,
    rollout: rollout || undefined,
  };
}
