"use client";

import { useQuery } from "@tanstack/react-query";
import { type Rules, rulesOfRun, rulesOfTemplate } from "#components/backtest/rule-fields.ts";
import type { BacktestSearch } from "#components/backtest/use-backtest-search.ts";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import { rolloutApiPath } from "#lib/client/rollout-path.ts";
import { templateApiPath } from "#lib/client/template-path.ts";
import type { AnalysisRunDetail, AnalysisRunSummary } from "#lib/contract/analysis-run.ts";
import type { ListPage } from "#lib/contract/common.ts";
import type { TemplateDetail } from "#lib/contract/template.ts";
import { parseObjectRef } from "#lib/domain/delivery/object-ref.ts";

/** The current rules of each metric: of the template, or of the newest runs of the rollout. */
export function useCurrentRules({ template, rollout }: BacktestSearch["values"]) {
  const source = template ?? rollout;
  return useQuery({
    queryKey: [...queryKeys.backtest("rules"), template, rollout],
    queryFn: ({ signal }) =>
      template === null ? readFromRuns(rollout ?? "", signal) : readFromTemplate(template, signal),
    enabled: source !== null,
    staleTime: 60_000,
  });
}

type RulesByMetric = Readonly<Record<string, Rules>>;

async function readFromTemplate(id: string, signal: AbortSignal): Promise<RulesByMetric> {
  const { metrics } = await request<TemplateDetail>({ path: templateApiPath(id), signal });
  return Object.fromEntries(metrics.map((metric) => [metric.name, rulesOfTemplate(metric)]));
}

/** Runs of different steps have different metrics. */
const newest = 6;

async function readFromRuns(id: string, signal: AbortSignal): Promise<RulesByMetric> {
  const rollout = parseObjectRef(id);
  if (rollout === undefined) return {};
  const path = `${rolloutApiPath(rollout)}/analysis-runs`;
  const { items } = await request<ListPage<AnalysisRunSummary>>({ path, query: { limit: newest }, signal });
  const runs = await Promise.all(
    items.map(({ uid }) =>
      request<AnalysisRunDetail>({ path: `/api/v1/analysis-runs/${encodeURIComponent(uid)}`, signal }),
    ),
  );
  // The newest run with a metric comes last, and wins.
  const metrics = runs.toReversed().flatMap((run) => run.metrics);
  return Object.fromEntries(metrics.map((metric) => [metric.name, rulesOfRun(metric)]));
}
