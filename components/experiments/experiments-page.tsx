"use client";

import { Anchor, Skeleton } from "@mantine/core";
import dynamic from "next/dynamic";
import Link from "next/link";
import { AnalysisFilters, analysisFilterNames } from "#components/ui/analysis-filters.tsx";
import { ListViews } from "#components/ui/list-views.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { useListState } from "#components/ui/use-list-state.ts";
import { useExperiments } from "#lib/client/experiment-queries.ts";

// The rows come later than the page in any case: their requests do not wait for each other.
const ExperimentTable = dynamic(
  () => import("#components/experiments/experiment-table.tsx").then((module) => module.ExperimentTable),
  {
    ssr: false,
    loading: () => <Skeleton height={320} />,
  },
);

export function ExperimentsPage() {
  const state = useListState({ list: "experiments", filters: analysisFilterNames, usualSort: "-createdAt" });
  const list = useExperiments(state.applied);
  return (
    <>
      <PageTitle
        aside={
          <Anchor component={Link} href="/analysis-runs" size="sm">
            Analysis runs
          </Anchor>
        }
      >
        Experiments
      </PageTitle>
      <ListViews state={state} />
      <AnalysisFilters state={state} />
      <ExperimentTable list={list} state={state} />
    </>
  );
}
