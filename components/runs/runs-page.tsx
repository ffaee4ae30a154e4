"use client";

import { Anchor } from "@mantine/core";
import dynamic from "next/dynamic";
import Link from "next/link";
import { AnalysisFilters, useAnalysisFilters } from "#components/ui/analysis-filters.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { RunTable } from "#components/ui/run-table.tsx";
import { useRuns } from "#lib/client/run-queries.ts";

const CountedFilters = dynamic(
  () => import("#components/runs/counted-filters.tsx").then((module) => module.CountedFilters),
  { ssr: false },
);

export function RunsPage() {
  const filters = useAnalysisFilters(["kind", "template", "metric", "figure", "from", "to"]);
  const { applied, isFiltered, clear } = filters;
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
      <AnalysisFilters filters={filters}>
        <CountedFilters values={filters.values} set={filters.set} />
      </AnalysisFilters>
      <RunTable list={list} showsRollout filterKey={JSON.stringify(applied)} isFiltered={isFiltered} onClear={clear} />
    </>
  );
}
