"use client";

import { Anchor } from "@mantine/core";
import { IconFlask } from "@tabler/icons-react";
import Link from "next/link";
import { ExperimentCard, experimentColumns } from "#components/experiments/experiment-columns.tsx";
import { analysisPhaseOptions, ClusterChoice } from "#components/ui/common-filters.tsx";
import { FilterBar, FilterChoice, FilterText } from "#components/ui/filter-bar.tsx";
import { ListView } from "#components/ui/list-view.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { useFilters } from "#components/ui/use-filters.ts";
import { useExperiments } from "#lib/client/experiment-queries.ts";

const empty = {
  icon: <IconFlask size={40} stroke={1.2} />,
  hint: "Every Experiment is kept here with its analysis runs, also after the cluster has deleted it. A rollout starts one at a step of the kind experiment.",
};

export function ExperimentsPage() {
  const { values, applied, isFiltered, set, clear } = useFilters(["q", "cluster", "namespace", "rollout", "phase"]);
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
      <FilterBar isFiltered={isFiltered} onClear={clear}>
        <FilterText label="Search" placeholder="Name" isSearch value={values.q} onChange={set("q")} />
        <ClusterChoice value={values.cluster} onChange={set("cluster")} />
        <FilterText label="Namespace" value={values.namespace} onChange={set("namespace")} />
        <FilterText label="Rollout" value={values.rollout} onChange={set("rollout")} />
        <FilterChoice label="Verdict" value={values.phase} options={analysisPhaseOptions} onChange={set("phase")} />
      </FilterBar>
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
