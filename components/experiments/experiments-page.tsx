"use client";

import { Anchor } from "@mantine/core";
import { IconFlask } from "@tabler/icons-react";
import Link from "next/link";
import { ExperimentCard, experimentColumns } from "#components/experiments/experiment-columns.tsx";
import { AnalysisFilters, useAnalysisFilters } from "#components/ui/analysis-filters.tsx";
import { ListView } from "#components/ui/list-view.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { useExperiments } from "#lib/client/experiment-queries.ts";

const empty = {
  icon: <IconFlask size={40} stroke={1.2} />,
  hint: "Gatehouse keeps every Experiment and its analysis runs, even after the cluster deletes them. A rollout starts one at an experiment step.",
};

export function ExperimentsPage() {
  const filters = useAnalysisFilters();
  const { applied, isFiltered, clear } = filters;
  const list = useExperiments(applied);
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
      <AnalysisFilters filters={filters} />
      <ListView
        caption="Experiments"
        list={list}
        filterKey={JSON.stringify(applied)}
        keyOf={({ uid }) => uid}
        columns={experimentColumns}
        card={(experiment) => <ExperimentCard experiment={experiment} />}
        empty={empty}
        isFiltered={isFiltered}
        onClear={clear}
      />
    </>
  );
}
