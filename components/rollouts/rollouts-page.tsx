"use client";

import { Button } from "@mantine/core";
import { IconGitBranch } from "@tabler/icons-react";
import { RolloutCard } from "#components/rollouts/rollout-card.tsx";
import { rolloutColumns } from "#components/rollouts/rollout-columns.tsx";
import { FilterBar, FilterChoice, FilterText } from "#components/ui/filter-bar.tsx";
import { ItemTableSkeleton } from "#components/ui/item-table.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { SteadyTable } from "#components/ui/steady-table.tsx";
import { useFilters } from "#components/ui/use-filters.ts";
import { useRollouts } from "#lib/client/rollout-queries.ts";
import { useClusters } from "#lib/client/system-queries.ts";

const filterNames = ["q", "cluster", "namespace", "phase", "attention"] as const;
const phases = ["Healthy", "Progressing", "Paused", "Degraded", "Unknown"].map((phase) => ({
  value: phase,
  label: phase,
}));
const attentions = [
  { value: "any", label: "waits for someone" },
  { value: "inconclusive", label: "inconclusive" },
  { value: "pause", label: "pause" },
  { value: "blueGreenPromotion", label: "promotion" },
  { value: "gate", label: "gate" },
  { value: "degraded", label: "degraded" },
];

export function RolloutsPage() {
  const filters = useFilters(filterNames);
  const list = useRollouts(filters.applied);
  return (
    <>
      <PageTitle>Rollouts</PageTitle>
      <RolloutFilters filters={filters} />
      <QueryView
        what="The rollouts"
        data={list.items}
        error={list.error}
        retry={list.retry}
        skeleton={<ItemTableSkeleton columns={rolloutColumns} />}
      >
        {(items) =>
          items.length === 0 ? (
            <NoRollouts isFiltered={filters.isFiltered} onClear={filters.clear} />
          ) : (
            <SteadyTable
              key={JSON.stringify(filters.applied)}
              caption="Rollouts"
              items={items}
              list={list}
              keyOf={({ id }) => id}
              columns={rolloutColumns}
              card={(rollout) => <RolloutCard rollout={rollout} />}
            />
          )
        }
      </QueryView>
    </>
  );
}

function RolloutFilters({ filters }: { filters: ReturnType<typeof useFilters<(typeof filterNames)[number]>> }) {
  const clusters = useClusters().data?.items ?? [];
  const { values, set, clear, isFiltered } = filters;
  return (
    <FilterBar isFiltered={isFiltered} onClear={clear}>
      <FilterText label="Search" placeholder="Name or namespace" isSearch value={values.q} onChange={set("q")} />
      <FilterChoice
        label="Cluster"
        value={values.cluster}
        options={clusters.map(({ name }) => ({ value: name, label: name }))}
        onChange={set("cluster")}
      />
      <FilterText label="Namespace" value={values.namespace} onChange={set("namespace")} />
      <FilterChoice label="Phase" value={values.phase} options={phases} onChange={set("phase")} />
      <FilterChoice label="Attention" value={values.attention} options={attentions} onChange={set("attention")} />
    </FilterBar>
  );
}

function NoRollouts({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return isFiltered ? (
    <NothingHere
      icon={<IconGitBranch size={40} stroke={1.2} />}
      title="No rollout matches"
      hint="The filters leave nothing over."
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  ) : (
    <NothingHere
      icon={<IconGitBranch size={40} stroke={1.2} />}
      title="No rollouts yet"
      hint="Every Argo Rollout of the configured clusters appears here once its source is live. The lamp at the top says how the sources are."
    />
  );
}
