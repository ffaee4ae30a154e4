"use client";

import { Anchor } from "@mantine/core";
import Link from "next/link";
import { AnalysisFilters, analysisFilterNames } from "#components/ui/analysis-filters.tsx";
import { FilterChoice, FilterText } from "#components/ui/filter-bar.tsx";
import { ListViews } from "#components/ui/list-views.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { RunTable } from "#components/ui/run-table.tsx";
import { runTypeWords } from "#components/ui/run-type-words.ts";
import { useListState } from "#components/ui/use-list-state.ts";
import { useRuns } from "#lib/client/run-queries.ts";

const filterNames = [...analysisFilterNames, "type", "metric", "template"] as const;
const types = Object.entries(runTypeWords).map(([value, label]) => ({ value, label }));

export function RunsPage() {
  const state = useListState({ list: "analysis-runs", filters: filterNames, usualSort: "-startedAt" });
  const { values, set } = state;
  const list = useRuns(state.applied);
  return (
    <>
      <PageTitle
        aside={
          <Anchor component={Link} href="/experiments" size="sm">
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
      </AnalysisFilters>
      <RunTable list={list} showsRollout state={state} />
    </>
  );
}
