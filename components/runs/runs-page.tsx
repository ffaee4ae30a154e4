"use client";

import { Anchor } from "@mantine/core";
import Link from "next/link";
import { analysisPhaseOptions, ClusterChoice } from "#components/ui/common-filters.tsx";
import { FilterBar, FilterChoice, FilterText } from "#components/ui/filter-bar.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { RunTable } from "#components/ui/run-table.tsx";
import { useFilters } from "#components/ui/use-filters.ts";
import { useRuns } from "#lib/client/run-queries.ts";

export function RunsPage() {
  const { values, applied, isFiltered, set, clear } = useFilters(["q", "cluster", "namespace", "rollout", "phase"]);
  const list = useRuns(applied);
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
      <FilterBar isFiltered={isFiltered} onClear={clear}>
        <FilterText label="Search" placeholder="Name" isSearch value={values.q} onChange={set("q")} />
        <ClusterChoice value={values.cluster} onChange={set("cluster")} />
        <FilterText label="Namespace" value={values.namespace} onChange={set("namespace")} />
        <FilterText label="Rollout" value={values.rollout} onChange={set("rollout")} />
        <FilterChoice label="Verdict" value={values.phase} options={analysisPhaseOptions} onChange={set("phase")} />
      </FilterBar>
      <RunTable list={list} showsRollout filterKey={JSON.stringify(applied)} isFiltered={isFiltered} onClear={clear} />
    </>
  );
}
