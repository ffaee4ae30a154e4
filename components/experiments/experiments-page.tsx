"use client";

import { Anchor, Button } from "@mantine/core";
import { IconFlask } from "@tabler/icons-react";
import Link from "next/link";
import { ExperimentCard, experimentColumns } from "#components/experiments/experiment-columns.tsx";
import { FilterBar, FilterChoice, FilterText } from "#components/ui/filter-bar.tsx";
import { ItemTableSkeleton } from "#components/ui/item-table.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { SteadyTable } from "#components/ui/steady-table.tsx";
import { useFilters } from "#components/ui/use-filters.ts";
import { useExperiments } from "#lib/client/experiment-queries.ts";
import { useClusters } from "#lib/client/system-queries.ts";

const phases = ["Pending", "Running", "Successful", "Failed", "Error", "Inconclusive"].map((phase) => ({
  value: phase,
  label: phase,
}));

export function ExperimentsPage() {
  const { values, applied, isFiltered, set, clear } = useFilters(["q", "cluster", "namespace", "rollout", "phase"]);
  const clusters = useClusters().data?.items ?? [];
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
        <FilterChoice
          label="Cluster"
          value={values.cluster}
          options={clusters.map(({ name }) => ({ value: name, label: name }))}
          onChange={set("cluster")}
        />
        <FilterText label="Namespace" value={values.namespace} onChange={set("namespace")} />
        <FilterText label="Rollout" value={values.rollout} onChange={set("rollout")} />
        <FilterChoice label="Verdict" value={values.phase} options={phases} onChange={set("phase")} />
      </FilterBar>
      <QueryView
        what="The experiments"
        data={list.items}
        error={list.error}
        retry={list.retry}
        skeleton={<ItemTableSkeleton columns={experimentColumns} />}
      >
        {(items) =>
          items.length === 0 ? (
            <NoExperiments isFiltered={isFiltered} onClear={clear} />
          ) : (
            <SteadyTable
              key={JSON.stringify(applied)}
              caption="Experiments"
              items={items}
              list={list}
              keyOf={({ uid }) => uid}
              columns={experimentColumns}
              card={(experiment) => <ExperimentCard experiment={experiment} />}
            />
          )
        }
      </QueryView>
    </>
  );
}

function NoExperiments({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return isFiltered ? (
    <NothingHere
      icon={<IconFlask size={40} stroke={1.2} />}
      title="No experiment matches"
      hint="The filters leave nothing over."
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  ) : (
    <NothingHere
      icon={<IconFlask size={40} stroke={1.2} />}
      title="No experiments yet"
      hint="Every Experiment is kept here with its analysis runs, also after the cluster has deleted it. A rollout starts one at a step of the kind experiment."
    />
  );
}
