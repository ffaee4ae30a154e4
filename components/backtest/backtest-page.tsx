"use client";

import { Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { BacktestResult } from "#components/backtest/backtest-result.tsx";
import { type Rules, rulesOfRun, rulesOfTemplate } from "#components/backtest/rule-fields.ts";
import { type BacktestSearch, useBacktestSearch } from "#components/backtest/use-backtest-search.ts";
import { IconTimelineEventExclamation } from "#components/ui/icons.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { ErrorNotice, NothingHere } from "#components/ui/query-view.tsx";
import { useBacktest } from "#lib/client/backtest-queries.ts";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import { rolloutApiPath } from "#lib/client/rollout-path.ts";
import { templateApiPath } from "#lib/client/template-path.ts";
import type { AnalysisRunDetail, AnalysisRunSummary } from "#lib/contract/analysis-run.ts";
import type { ListPage } from "#lib/contract/common.ts";
import type { TemplateDetail } from "#lib/contract/template.ts";
import { parseObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { isGatehouseError } from "#packages/client/src/gatehouse-error.ts";

// Loaded separately: a page may load only so much before it works.
const RunChoice = dynamic(() => import("#components/backtest/run-choice.tsx").then((module) => module.RunChoice), {
  ssr: false,
  loading: () => <Skeleton height={52} />,
});
const RuleForm = dynamic(() => import("#components/backtest/rule-form.tsx").then((module) => module.RuleForm), {
  ssr: false,
  loading: () => <Skeleton height={180} />,
});

/** Changes a metric's rules and replays recorded runs under them. The URL holds everything. */
export function BacktestPage() {
  const search = useBacktestSearch();
  const { template, rollout, metric } = search.values;
  const rules = useCurrentRules(search.values);
  const query = useBacktest(search.body);
  const faults = isGatehouseError(query.error) ? query.error.problem?.invalidParams : undefined;
  const isChosen = metric !== null && (template !== null || rollout !== null);
  const base = metric === null ? undefined : rules.data?.[metric];
  return (
    <Stack gap="lg">
      <div>
        <PageTitle>Back-test</PageTitle>
        <Text size="sm" c="dimmed">
          Replays recorded measurements under changed rules. Nothing in a cluster changes.
        </Text>
      </div>
      <RunChoice search={search} metrics={rules.data === undefined ? undefined : Object.keys(rules.data)} />
      {rules.error !== null && (
        <ErrorNotice error={rules.error} what="The current rules" onRetry={() => void rules.refetch()} />
      )}
      {isChosen ? (
        <>
          <RuleForm base={base} search={search} faults={faults} />
          <BacktestResult query={query} search={search} />
        </>
      ) : (
        <NothingHere
          icon={<IconTimelineEventExclamation size={40} stroke={1.2} />}
          title="Choose what to replay"
          hint="Choose a template or a rollout, then one of its metrics. Change its conditions or limits to see which recorded runs would have ended differently."
        />
      )}
    </Stack>
  );
}

/** The current rules of each metric: of the template, or of the newest runs of the rollout. */
function useCurrentRules({ template, rollout }: BacktestSearch["values"]) {
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
