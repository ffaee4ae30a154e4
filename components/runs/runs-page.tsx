"use client";

import { Anchor, Skeleton } from "@mantine/core";
import dynamic from "next/dynamic";
import Link from "next/link";
import { AnalysisFilters, analysisFilterNames } from "#components/ui/analysis-filters.tsx";
import { FilterChoice, FilterText } from "#components/ui/filter-bar.tsx";
import { ListViews } from "#components/ui/list-views.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { runTypeWords } from "#components/ui/run-type-words.ts";
import { useListState } from "#components/ui/use-list-state.ts";
import { useRuns } from "#lib/client/run-queries.ts";

// The rows come later than the page in any case: their requests do not wait for each other.
const RunTable = dynamic(() => import("#components/ui/run-table.tsx").then((module) => module.RunTable), {
  ssr: false,
  loading: () => <Skeleton height={320} />,
});

const CountedFilters = dynamic(
  () => import("#components/runs/counted-filters.tsx").then((module) => module.CountedFilters),
  { ssr: false },
);

const filterNames = [...analysisFilterNames, "type", "metric", "template", "kind", "ofTemplate", "figure"] as const;
const types = Object.entries(runTypeWords).map(([value, label]) => ({ value, label }));

export function RunsPage() {
  const state = useListState({ list: "analysis-runs", filters: filterNames, usualSort: "-startedAt" });
  const { values, set } = state;
  const list = useRuns(state.applied);
  return (
    <>
      <PageTitle
        aside={
          <Anchor component={Link} href="/experiments" size="sm" className="screen-only">
            Experiments
          </Anchor>
        }
      >
        Analysis runs
      </PageTitle>
      <ListViews state={state} />
      <AnalysisFilters state={state}>
        <FilterChoice label="Kind" value={values.type} options={types} onChange={set("type")} />
        <FilterText label="Metric" value={values.metric} onChange={set("metric")} />
        <FilterText label="Template" value={values.template} onChange={set("template")} />
        <CountedFilters values={values} set={set} />
      </AnalysisFilters>
      <RunTable list={list} showsRollout state={state} />
    </>
  );
}
