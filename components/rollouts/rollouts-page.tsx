"use client";

import { IconGitBranch } from "@tabler/icons-react";
import { RolloutCard } from "#components/rollouts/rollout-card.tsx";
import { rolloutColumns } from "#components/rollouts/rollout-columns.tsx";
import { ClusterChoice } from "#components/ui/common-filters.tsx";
import { FilterBar, FilterChoice, FilterText } from "#components/ui/filter-bar.tsx";
import { ListView } from "#components/ui/list-view.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { useFilters } from "#components/ui/use-filters.ts";
import { useRollouts } from "#lib/client/rollout-queries.ts";

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
  { value: "finding", label: "finding" },
];

const empty = {
  icon: <IconGitBranch size={40} stroke={1.2} />,
  hint: "Every Argo Rollout in the configured clusters appears here once its source is live. The lamp at the top shows the state of the sources.",
};

export function RolloutsPage() {
  const filters = useFilters(filterNames);
  const list = useRollouts(filters.applied);
  return (
    <>
      <PageTitle>Rollouts</PageTitle>
      <RolloutFilters filters={filters} />
      <ListView
        caption="Rollouts"
        list={list}
        filterKey={JSON.stringify(filters.applied)}
        keyOf={({ id }) => id}
        columns={rolloutColumns}
        card={(rollout) => <RolloutCard rollout={rollout} />}
        empty={empty}
        isFiltered={filters.isFiltered}
        onClear={filters.clear}
      />
    </>
  );
}

function RolloutFilters({ filters }: { filters: ReturnType<typeof useFilters<(typeof filterNames)[number]>> }) {
  const { values, set, clear, isFiltered } = filters;
  return (
    <FilterBar isFiltered={isFiltered} onClear={clear}>
      <FilterText label="Search" placeholder="Name or namespace" isSearch value={values.q} onChange={set("q")} />
      <ClusterChoice value={values.cluster} onChange={set("cluster")} />
      <FilterText label="Namespace" value={values.namespace} onChange={set("namespace")} />
      <FilterChoice label="Phase" value={values.phase} options={phases} onChange={set("phase")} />
      <FilterChoice label="Attention" value={values.attention} options={attentions} onChange={set("attention")} />
    </FilterBar>
  );
}
