"use client";

import { ClusterChoice, FilterBar, FilterChoice, FilterText } from "#components/ui/filter-bar.tsx";
import { FilterSpan } from "#components/ui/filter-time.tsx";
import type { ListFilters } from "#components/ui/use-list-state.ts";

export const analysisFilterNames = ["q", "cluster", "namespace", "rollout", "phase", "last", "from", "to"] as const;

type Name = (typeof analysisFilterNames)[number];

const phases = ["Pending", "Running", "Successful", "Failed", "Error", "Inconclusive", "Unknown"].map((phase) => ({
  value: phase,
  label: phase,
}));

type AnalysisFiltersProps = {
  state: Pick<ListFilters<Name>, "values" | "isFiltered" | "set" | "setMany" | "clear">;
  /** Filters that only one of the lists has. */
  children?: React.ReactNode;
};

/** The filters that analysis runs and Experiments share. */
export function AnalysisFilters({ state, children }: AnalysisFiltersProps) {
  const { values, isFiltered, set, setMany, clear } = state;
  const { q, cluster, namespace, phase, ...others } = values;
  const more = (
    <>
      <FilterText label="Rollout" value={values.rollout} onChange={set("rollout")} />
      {children}
      <FilterSpan label="Created" values={values} onChange={setMany} />
    </>
  );
  return (
    <FilterBar isFiltered={isFiltered} onClear={clear} more={{ filters: more, values: Object.values(others) }}>
      <FilterText label="Search" placeholder="Name" isSearch value={values.q} onChange={set("q")} />
      <ClusterChoice value={values.cluster} onChange={set("cluster")} />
      <FilterText label="Namespace" value={values.namespace} onChange={set("namespace")} />
      <FilterChoice label="Verdict" value={values.phase} options={phases} onChange={set("phase")} />
    </FilterBar>
  );
}
