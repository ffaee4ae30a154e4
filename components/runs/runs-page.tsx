"use client";

import { Anchor } from "@mantine/core";
import Link from "next/link";
import { AnalysisFilters, useAnalysisFilters } from "#components/ui/analysis-filters.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { RunTable } from "#components/ui/run-table.tsx";
import { useRuns } from "#lib/client/run-queries.ts";

export function RunsPage() {
  const filters = useAnalysisFilters();
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
      <AnalysisFilters filters={filters} />
      <RunTable list={list} showsRollout filterKey={JSON.stringify(applied)} isFiltered={isFiltered} onClear={clear} />
    </>
  );
}
