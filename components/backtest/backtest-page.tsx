"use client";

import { Skeleton, Stack, Text } from "@mantine/core";
import { IconTimelineEventExclamation } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { BacktestResult } from "#components/backtest/backtest-result.tsx";
import { useBacktestSearch } from "#components/backtest/use-backtest-search.ts";
import { useCurrentRules } from "#components/backtest/use-current-rules.ts";
import { PageTitle } from "#components/ui/page-title.tsx";
import { ErrorNotice, NothingHere } from "#components/ui/query-view.tsx";
import { useBacktest } from "#lib/client/backtest-queries.ts";
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
          hint="Choose a template or a rollout, then one of its metrics. Change its conditions or limits to see which recorded runs would have ended otherwise."
        />
      )}
    </Stack>
  );
}
