"use client";

import { Anchor } from "@mantine/core";
import { IconFlask } from "@tabler/icons-react";
import Link from "next/link";
import { ExperimentCard, experimentColumns } from "#components/experiments/experiment-columns.tsx";
import { AnalysisFilters, analysisFilterNames } from "#components/ui/analysis-filters.tsx";
import { ListView } from "#components/ui/list-view.tsx";
import { ListViews } from "#components/ui/list-views.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { useListState } from "#components/ui/use-list-state.ts";
import { useExperiments } from "#lib/client/experiment-queries.ts";

const empty = {
  icon: <IconFlask size={40} stroke={1.2} />,
  hint: "Gatehouse keeps every Experiment and its analysis runs, even after the cluster deletes them. A rollout starts one at an experiment step.",
};

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
      <ListView
        caption="Experiments"
        list={list}
        state={state}
        keyOf={({ uid }) => uid}
        columns={experimentColumns}
        card={(experiment) => <ExperimentCard experiment={experiment} />}
        empty={empty}
      />
    </>
  );
}
