"use client";

import { ClusterChoice } from "#components/ui/common-filters.tsx";
import { FilterBar, FilterChoice, FilterText } from "#components/ui/filter-bar.tsx";
import { useFilters } from "#components/ui/use-filters.ts";

const names = ["q", "cluster", "namespace", "rollout", "phase"] as const;
const phases = ["Pending", "Running", "Successful", "Failed", "Error", "Inconclusive"].map((phase) => ({
  value: phase,
  label: phase,
}));

/** Returns the filters of analysis runs and Experiments. */
export const useAnalysisFilters = () => useFilters(names);

export function AnalysisFilters({ filters }: { filters: ReturnType<typeof useAnalysisFilters> }) {
  const { values, isFiltered, set, clear } = filters;
  return (
    <FilterBar isFiltered={isFiltered} onClear={clear}>
      <FilterText label="Search" placeholder="Name" isSearch value={values.q} onChange={set("q")} />
      <ClusterChoice value={values.cluster} onChange={set("cluster")} />
      <FilterText label="Namespace" value={values.namespace} onChange={set("namespace")} />
      <FilterText label="Rollout" value={values.rollout} onChange={set("rollout")} />
      <FilterChoice label="Verdict" value={values.phase} options={phases} onChange={set("phase")} />
    </FilterBar>
  );
}
