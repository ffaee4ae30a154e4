"use client";

import { ClusterChoice } from "#components/ui/common-filters.tsx";
import { FilterBar, FilterChoice, FilterText } from "#components/ui/filter-bar.tsx";
import { useFilters } from "#components/ui/use-filters.ts";

const names = ["q", "cluster", "namespace", "rollout", "phase"] as const;
const phases = ["Pending", "Running", "Successful", "Failed", "Error", "Inconclusive"].map((phase) => ({
  value: phase,
  label: phase,
}));

type Name = (typeof names)[number];

/** Returns the filters of analysis runs and Experiments, and others of one of the two. */
export function useAnalysisFilters<More extends string = never>(more: readonly More[] = []) {
  return useFilters<Name | More>([...names, ...more]);
}

type AnalysisFiltersProps = {
  filters: {
    values: Readonly<Record<Name, string>>;
    isFiltered: boolean;
    set: (name: Name) => (value: string | null) => void;
    clear: () => void;
  };
  /** The other filters. */
  children?: React.ReactNode;
};

export function AnalysisFilters({ filters, children }: AnalysisFiltersProps) {
  const { values, isFiltered, set, clear } = filters;
  return (
    <FilterBar isFiltered={isFiltered} onClear={clear}>
      <FilterText label="Search" placeholder="Name" isSearch value={values.q} onChange={set("q")} />
      <ClusterChoice value={values.cluster} onChange={set("cluster")} />
      <FilterText label="Namespace" value={values.namespace} onChange={set("namespace")} />
      <FilterText label="Rollout" value={values.rollout} onChange={set("rollout")} />
      <FilterChoice label="Verdict" value={values.phase} options={phases} onChange={set("phase")} />
      {children}
    </FilterBar>
  );
}
